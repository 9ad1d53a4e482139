import type { VirtualPath } from "../../path/virtual-path.js";
import { openHostDriver } from "../open/open-host-driver.test.support.js";

/** Starts to write a file and is killed before the commit. */
const [root = "", path = ""] = process.argv.slice(2);
const driver = await openHostDriver(root, { fsync: false });
const writer = await driver.accelerate.openWrite(path as VirtualPath, "create");
writer.write(Buffer.from("half of it"));
process.kill(process.pid, "SIGKILL");
