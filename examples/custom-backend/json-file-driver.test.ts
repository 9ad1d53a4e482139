// Runs the contract suite of the package's own backends, more than 450 cases. It detects the test framework
// automatically: here it is `node --test`, and vitest runs the same file unchanged.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFilesystem, type Filesystem } from "@wink/filesystem";
import { filesystemContract } from "@wink/filesystem/testing";
import { openJsonFileDriver } from "./json-file-driver.js";

const NO_BITS = "a JSON file keeps no permission bits";

const files = new Map<Filesystem, string>();

filesystemContract(
  "json-file",
  async (options) => {
    const file = path.join(tmpdir(), `custom-backend-${randomUUID()}.json`);
    const filesystem = createFilesystem(await openJsonFileDriver(file), options);
    files.set(filesystem, file);
    return filesystem;
  },
  {
    links: "a JSON file keeps no symbolic links",
    modes: NO_BITS,
    times: "a JSON file keeps no times",
    "write: sets and clears the execute bits, and else leaves them": NO_BITS,
    "write: carries the execute bits along with a copy and a move": NO_BITS,
  },
  {
    // The file does not exist if nothing was written.
    cleanup: (filesystem) => rm(files.get(filesystem) ?? "", { force: true }),
  },
);
