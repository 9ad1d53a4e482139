// Runs the contract of the package's own stores. It detects the test framework automatically: here it is `node --test`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createStore } from "@wink/store";
import { storeContract } from "@wink/store/testing";
import { DirectoryStorage } from "./directory-storage.js";

const root = mkdtempSync(path.join(tmpdir(), "key-value-store-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

storeContract("a directory", () => createStore(new DirectoryStorage(root)));
