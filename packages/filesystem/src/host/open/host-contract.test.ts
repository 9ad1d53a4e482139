import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { HostFilesystem } from "../../host.js";
import { filesystemContract } from "../../testing/filesystem-contract.js";

filesystemContract(
  "HostFilesystem",
  async (options) => {
    const root = await mkdtemp(path.join(tmpdir(), "wink-contract-"));
    try {
      return await HostFilesystem.open(root, { ...options, fsync: false });
    } catch (error) {
      // `cleanup` is not called for a filesystem that was never opened.
      await rm(root, { recursive: true });
      throw error;
    }
  },
  {},
  {
    async cleanup(filesystem) {
      await (filesystem as HostFilesystem).close();
      await rm(filesystem.root, { recursive: true, force: true });
    },
  },
);
