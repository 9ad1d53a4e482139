import { filesystemContract } from "@wink/filesystem/testing";
import { InMemoryFs } from "just-bash";
import { fromJustBashFs } from "./from-just-bash-fs.js";

filesystemContract("a filesystem of just-bash (TL-85)", (options) =>
  fromJustBashFs(new InMemoryFs(), options),
);
