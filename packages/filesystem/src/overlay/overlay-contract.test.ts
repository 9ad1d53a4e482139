import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host/open/host-filesystem.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { filesystemContract } from "../testing/filesystem-contract.js";
import { readOnlyView } from "../wrap/read-only-view.js";
import { overlay } from "./overlay.js";

filesystemContract("an overlay over memory", (options) =>
  overlay(new InMemoryFilesystem(), options),
);

filesystemContract("an overlay over a read-only view", (options) =>
  overlay(readOnlyView(new InMemoryFilesystem()), options),
);

const opened = new Map<Filesystem, { readonly base: HostFilesystem; readonly root: string }>();

filesystemContract(
  "an overlay over a host directory",
  async (options) => {
    const root = mkdtempSync(join(tmpdir(), "wink-overlay-"));
    const base = await HostFilesystem.open(root, { readOnly: true });
    const { root: _, ...rest } = options;
    const filesystem = overlay(base, rest);
    opened.set(filesystem, { base, root });
    return filesystem;
  },
  {},
  {
    async cleanup(filesystem) {
      const place = opened.get(filesystem);
      await place?.base.close();
      if (place !== undefined) rmSync(place.root, { recursive: true });
    },
  },
);
