import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Filesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { type ContractGaps, filesystemContract } from "@wink/filesystem/testing";
import { describe } from "vitest";
import { shellSettingsOf } from "./podman-sandbox-section.js";
import { hasPodman, type OpenSandbox, openSandbox } from "./sandbox.test.support.js";
import { sandboxFilesystem } from "./sandbox-filesystem.js";

/** Sandboxes that no case uses. Their containers run, and their workspaces are empty. */
const idle: OpenSandbox[] = [];
const inUse = new Map<Filesystem, () => Promise<void>>();

async function startSandbox(): Promise<OpenSandbox> {
  const box = await openSandbox();
  await box.run("true");
  return box;
}

/** The files of a sandbox with a running container, which is used again after the case. */
async function borrowSandbox(): Promise<Filesystem> {
  const box = idle.pop() ?? (await startSandbox());
  const { filesystem } = box;
  inUse.set(filesystem, async () => {
    for (const { path } of await filesystem.list())
      await filesystem.delete(path, { recursive: true });
    idle.push(box);
  });
  return filesystem;
}

/** A section fixes the options of its filesystem, so a case with options gets the same wrapper around its own files. */
async function wrapDirectory(options: object): Promise<Filesystem> {
  const box = idle[0] ?? (await startSandbox());
  if (!idle.includes(box)) idle.push(box);
  const { sandbox } = shellSettingsOf(box.section);
  const root = await mkdtemp(join(tmpdir(), "wink-sandbox-contract-"));
  const host = await HostFilesystem.open(root, { ...options, fsync: false }).catch(
    async (error: unknown) => {
      await rm(root, { recursive: true });
      throw error;
    },
  );
  const filesystem = sandboxFilesystem(host, (change) => sandbox.whileQuiet(change));
  inUse.set(filesystem, async () => {
    await host.close();
    await rm(root, { recursive: true, force: true });
  });
  return filesystem;
}

const MOUNT_POINT = "the mount point of a sandbox is /workspace, so / is outside";

const GAPS: ContractGaps = {
  "paths: finds a/b.txt as /a/b.txt": MOUNT_POINT,
  "paths: finds a/b.txt as //a///b.txt": MOUNT_POINT,
  "paths: finds a/b.txt as \\a\\b.txt": MOUNT_POINT,
  "paths: finds a/b.txt as /x/y/../../a/b.txt": MOUNT_POINT,
  'paths: treats "/" as the root, which cannot be replaced': MOUNT_POINT,
  'paths: treats "\\\\" as the root, which cannot be replaced': MOUNT_POINT,
  "paths: resolves a leading slash to the root when there is no mount point": MOUNT_POINT,
  "stat: describes the root, whose path is empty": MOUNT_POINT,
  "identity: is the same for all spellings of a path": MOUNT_POINT,
  "identity: by realpath is the normal path": MOUNT_POINT,
  "glob: matches below its base and returns paths from the root": MOUNT_POINT,
  "mkdir: treats the root as an existing directory": MOUNT_POINT,
  "errors: show the path as the caller wrote it": MOUNT_POINT,
};

describe.runIf(hasPodman)("PodmanSandboxSection", () => {
  filesystemContract(
    "the filesystem of a sandbox",
    (options) => (Object.keys(options).length === 0 ? borrowSandbox() : wrapDirectory(options)),
    GAPS,
    {
      async cleanup(filesystem) {
        const release = inUse.get(filesystem);
        inUse.delete(filesystem);
        await release?.();
      },
    },
  );
});
