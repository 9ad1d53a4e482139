import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "vitest";
import { HostFilesystem } from "./host/index.js";
import { filesystemContract } from "./testing/filesystem-contract.js";

filesystemContract(
  "HostFilesystem",
  async (options) => {
    const root = await mkdtemp(path.join(tmpdir(), "wink-contract-"));
    return await HostFilesystem.open(root, { ...options, fsync: false });
  },
  {
    runner: { describe, it },
    async cleanup(filesystem) {
      await (filesystem as HostFilesystem).close();
      await rm(filesystem.root, { recursive: true, force: true });
    },
  },
);
