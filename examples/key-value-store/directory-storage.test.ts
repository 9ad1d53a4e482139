// Runs the contracts of the package's own stores and filesystems. They detect the test framework automatically: here it
// is `node --test`.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { StoredFilesystem } from "@wink/filesystem";
import { filesystemContract } from "@wink/filesystem/testing";
import { createStore } from "@wink/store";
import { storeContract } from "@wink/store/testing";
import { DirectoryStorage } from "./directory-storage.js";

const root = mkdtempSync(path.join(tmpdir(), "key-value-store-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

storeContract("a directory", () => createStore(new DirectoryStorage(root)));

// Takes half a minute, because every commit is flushed to the disk: CONTRACT=all pnpm start
if (process.env["CONTRACT"] === "all")
  filesystemContract("files in a directory's store", async (options) => {
    const store = createStore(new DirectoryStorage(root));
    const id = randomUUID();
    // A head must exist to be opened for reading only.
    if (options.readOnly) await (await StoredFilesystem.open(store, id)).close();
    return await StoredFilesystem.open(store, id, options);
  });
