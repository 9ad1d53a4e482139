import type { Stats } from "node:fs";
import type { CallOptions } from "@wink/filesystem";
import { saveFile } from "@wink/filesystem/host";
import { copyDirectory } from "../mount/copy-directory.js";
import type { HostMount, MountHostOptions } from "../mount/host-mount.js";
import type { WorkspaceParts } from "./workspace-parts.js";
import type { WorkspaceFilter } from "./workspace-record.js";

export interface CopyOptions extends CallOptions, Pick<MountHostOptions, "onProgress"> {}

/**
 * Makes the empty copy a copy of the directory. If it is killed or aborted, the next opening repeats it. Resolves when
 * the files are there; `done` resolves when the copy can be compared too.
 */
export async function copyWorkspace(
  parts: WorkspaceParts,
  filter: WorkspaceFilter,
  { signal, onProgress }: CopyOptions,
): Promise<{ readonly done: Promise<void> }> {
  const { place, host, index, touched } = parts;
  parts.save({ phase: "copying", filter, base: null, applied: [], pending: null, inPlace: false });
  for (const { path } of await host.list(".")) await host.delete(path, { recursive: true });
  const copiedAtMs = Date.now();
  const nodes = new Map<string, Stats>();
  const rules = new Set<string>();
  const sink = host.stageFiles();
  if (sink === undefined) throw new Error("A workspace has no quotas.");
  try {
    const { fileCount, totalBytes, leftOut } = await copyDirectory(place.directory, {
      ...{ sink, signal, onProgress, limits: host.limits, filter: mountFilterOf(filter) },
      onNode: (path, stat) => void nodes.set(path, stat),
      onRule: (path) => void rules.add(path),
    });
    await sink.commit(signal);
    parts.save({ copied: { fileCount, totalBytes } });
    const base = parts.snapshotBase(undefined);
    index.reset();
    index.update(nodes, [], { copiedAtMs, watched: parts.watchedStats(rules, leftOut) });
    touched.replace([]);
    saveFile(place.leftOut, JSON.stringify(leftOut));
    const done = base.then((snapshot) => parts.save({ phase: "ready", base: snapshot }));
    return { done };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** The filter as options of a mount. */
export function mountFilterOf({
  include,
  exclude,
  includeSecrets = false,
  includeIgnored = false,
}: WorkspaceFilter): Omit<HostMount, "hostPath"> {
  return {
    includeGlob: include,
    excludeGlob: exclude,
    includeSecrets,
    gitignore: !includeIgnored,
    maxBytes: Number.MAX_SAFE_INTEGER,
    maxFiles: Number.MAX_SAFE_INTEGER,
  };
}
