import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host/open/host-filesystem.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";
import { mapDriver } from "../testing/map-driver.test.support.js";
import { overlay } from "./overlay.js";

const BACKENDS: Readonly<Record<string, () => Promise<SnapshotableFilesystem>>> = {
  memory: async () => new InMemoryFilesystem(),
  "a driver": async () => createFilesystem(mapDriver()),
  "an overlay": async () => overlay(new InMemoryFilesystem()),
  host: async () => {
    const root = mkdtempSync(join(tmpdir(), "wink-unknown-"));
    const fs = await HostFilesystem.open(root, { fsync: false });
    onTestFinished(async () => {
      await fs.close();
      rmSync(root, { recursive: true });
    });
    return fs;
  },
};

it.each(Object.entries(BACKENDS))(
  "%s refuses an invented, a foreign and a deleted snapshot with one code (SN-45)",
  async (_, open) => {
    const fs = await open();
    await fs.write("a", "1");
    const deleted = await fs.snapshot();
    await fs.deleteSnapshot(deleted);
    const foreign = await new InMemoryFilesystem().snapshot();
    const invented = { ...deleted, snapshotId: crypto.randomUUID(), rootPath: "/elsewhere" };
    for (const snapshot of [deleted, foreign, invented]) {
      const code = "UNKNOWN_SNAPSHOT";
      await expect(fs.restore(snapshot)).rejects.toMatchObject({ code });
      await expect(fs.diff(snapshot)).rejects.toMatchObject({ code });
      await expect(fs.deleteSnapshot(snapshot)).rejects.toMatchObject({ code });
    }
    expect((await fs.read("a")).content).toBe("1");
  },
);
