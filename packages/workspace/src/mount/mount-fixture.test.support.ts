import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { mountHost } from "../workspace/mount-host.js";
import type { MountedWorkspace } from "../workspace/mounted-workspace.js";
import type { HostMount, MountHostOptions } from "./host-mount.js";
import { scratchDirectory, type Tree, writeTree } from "./tree-fixture.test.support.js";

export interface Host {
  /** The directory that may be mounted. */
  readonly root: string;
  /** A directory next to it that is not allowed. */
  readonly outside: string;
  readonly options: MountHostOptions;
}

/** A host directory with files, and a private directory for journals. Both are deleted after the test. */
export function makeHost(tree: Tree = {}): Host {
  const place = scratchDirectory();
  const root = join(place, "repos");
  const outside = join(place, "outside");
  for (const directory of [root, outside]) mkdirSync(directory);
  writeTree(root, tree);
  return {
    root,
    outside,
    options: { allowedHostRoots: [root], stateDirectory: join(place, "state") },
  };
}

export interface Mounted {
  readonly host: Host;
  readonly filesystem: InMemoryFilesystem;
  readonly workspace: MountedWorkspace;
}

/** Mounts a host directory, or the given `mount`, into memory. */
export async function mountTree(tree: Tree, mount: Partial<HostMount> = {}): Promise<Mounted> {
  const host = makeHost(tree);
  const filesystem = new InMemoryFilesystem();
  const workspace = await mountHost(filesystem, [{ hostPath: ".", ...mount }], host.options);
  return { host, filesystem, workspace };
}

/** The content of a workspace: text by path, `true` for an empty directory. */
export async function contentsOf(
  filesystem: Filesystem,
  directory = ".",
): Promise<Record<string, string | true>> {
  const found: Record<string, string | true> = {};
  const entries = await filesystem.list(directory);
  if (entries.length === 0 && directory !== ".") found[directory] = true;
  for (const { path, isDirectory } of entries) {
    if (isDirectory) Object.assign(found, await contentsOf(filesystem, path));
    else found[path] = new TextDecoder().decode((await filesystem.readBytes(path)).content);
  }
  return found;
}
