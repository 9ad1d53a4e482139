import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import {
  type CallOptions,
  paths,
  type TreeChange,
  type TreeEntry,
  type VirtualPath,
} from "@wink/filesystem";
import { saveFile } from "@wink/filesystem/host";
import type { ApplyConflict } from "../error/apply-error.js";
import { copyDirectory } from "../mount/copy-directory.js";
import type { MountHostOptions } from "../mount/host-mount.js";
import { mountFilterOf } from "./copy-workspace.js";
import { IncomingFiles } from "./incoming-files.js";
import { planMerge, splitMoves } from "./plan-merge.js";
import type { WorkspaceParts } from "./workspace-parts.js";
import { commitLine, type WorkspaceFilter } from "./workspace-record.js";
import { writeChanges } from "./write-changes.js";

export interface RefreshOptions extends CallOptions, Pick<MountHostOptions, "onProgress"> {
  /** Looks only at these paths and below them. @default the whole directory */
  readonly paths?: readonly string[] | undefined;
  /** Changes which files are copied. @default as before */
  readonly filter?: WorkspaceFilter | undefined;
}

/** Paths are in byte order. */
export interface RefreshReport {
  /** Files that are now as in the directory, and those that were deleted there. */
  readonly updated: readonly string[];
  /** Files that now have the changes of both sides. */
  readonly merged: readonly string[];
  /** Files that both sides changed. The workspace keeps its own version. */
  readonly conflicts: readonly ApplyConflict[];
}

export interface WalkScope {
  /** Whether the walk visits this path. @default every path */
  readonly wants?: ((path: VirtualPath, isDirectory: boolean) => boolean) | undefined;
  /** Whether a known path that the walk did not find counts as deleted. @default every path */
  readonly covers?: ((path: string) => boolean) | undefined;
  /** Whether all entries of a directory are visited. @default of every directory */
  readonly lists?: ((path: string) => boolean) | undefined;
}

const NOTHING: RefreshReport = Object.freeze({ updated: [], merged: [], conflicts: [] });

/**
 * Brings changes of the user's directory into the workspace: a three-way merge with the base. Reads only files whose
 * stat changed. Call it with the lock.
 */
export async function refreshWorkspace(
  parts: WorkspaceParts,
  {
    filter = parts.record.filter,
    signal,
    onProgress,
    wants,
    covers,
    lists,
  }: RefreshOptions & WalkScope,
): Promise<RefreshReport> {
  const { host, index } = parts;
  if (!index.load()) index.reset(await parts.basePaths());
  const startedAtMs = Date.now();
  const isWhole = wants === undefined;
  const known = isWhole ? await index.unchanged((path) => parts.peek(path), signal) : undefined;
  if (known?.isAll && JSON.stringify(filter) === JSON.stringify(parts.record.filter))
    return NOTHING;
  const confirmed = new Set<string>();
  const rules = new Set<string>();
  const found = new Map<string, Stats>();
  const read = new Map<VirtualPath, TreeEntry>();
  using incoming = new IncomingFiles(parts.place.incoming);
  const seen = await copyDirectory(parts.place.directory, {
    ...{ signal, onProgress, limits: host.limits, filter: mountFilterOf(filter) },
    sink: incoming.sink(read),
    knownSize(path, stat) {
      const sizeBytes = known?.sizeOf(path);
      if (sizeBytes !== undefined) confirmed.add(path);
      const now = sizeBytes === undefined ? stat() : undefined;
      if (now === undefined || !index.isUnchanged(path, now)) return sizeBytes;
      found.set(path, now);
      return now.size;
    },
    onRule: (path) => void rules.add(path),
    onNode: (path, stat) => void found.set(path, stat),
    ...(wants && { wants }),
  });
  const isCovered = covers ?? (() => true);
  const isGone = (path: string) => !found.has(path) && !confirmed.has(path) && isCovered(path);
  const gone = [...index.files(), ...index.directories()].filter(isGone);
  for (const [path, stat] of found)
    if (stat.isDirectory() && path !== "" && !index.hasDirectory(path))
      read.set(path as VirtualPath, directoryEntry(path as VirtualPath, stat));
  if (isWhole) {
    saveFile(parts.place.leftOut, JSON.stringify(seen.leftOut));
    const copied = { fileCount: seen.fileCount, totalBytes: seen.totalBytes };
    if (JSON.stringify({ copied, filter }) !== JSON.stringify(pick(parts)))
      parts.save({ copied, filter });
  }
  const report = read.size + gone.length === 0 ? NOTHING : await takeOver(parts, { read, gone });
  for (const [path, stat] of found)
    if (stat.isDirectory() && lists?.(path) === false) found.delete(path);
  // A conflict is checked again at the next refresh.
  for (const { path } of report.conflicts) found.delete(path);
  const kept = new Set(report.conflicts.map(({ path }) => path));
  index.update(
    found,
    gone.filter((path) => !kept.has(path)),
    {
      copiedAtMs: startedAtMs,
      ...(isWhole && { watched: parts.watchedStats(rules, seen.leftOut) }),
    },
  );
  // A new file has no stat here, only the directory around it.
  for (const path of kept)
    for (const each of [path, `${paths.parentPath(path as VirtualPath)}/`]) index.doubt(each);
  return report;
}

function pick({ record: { copied, filter } }: WorkspaceParts) {
  return { copied, filter };
}

interface HostNodes {
  readonly read: ReadonlyMap<VirtualPath, TreeEntry>;
  readonly gone: readonly string[];
}

async function takeOver(parts: WorkspaceParts, { read, gone }: HostNodes): Promise<RefreshReport> {
  const { host, base } = parts;
  const looked = [...read.keys(), ...gone];
  const entries = [...read.values()].sort((a, b) => paths.compareBytes(a.path, b.path));
  const onHost = await parts.importBase({ onto: base, removed: gone, entries: () => entries });
  const theirs = splitMoves(await host.diff(base, onHost, { paths: looked }));
  if (theirs.length === 0) return NOTHING;
  const changed = theirs.map(({ path }) => path);
  const ours = splitMoves(await host.diff(base, undefined, { paths: changed }));
  const own = new Map(ours.map((each) => [each.path, each]));
  const plan = await planMerge(host, theirs, ({ path, before }) => {
    const change = own.get(path);
    return change ? change.after : before;
  });
  const isWhole = plan.conflicts.length === 0;
  const next = isWhole ? onHost : await parts.edit(base, plan.accepted);
  parts.touched.add(plan.written.map(({ before, after }) => (after ?? before)?.path ?? ""));
  const committed = randomUUID();
  const committedBy = { file: parts.place.record, line: commitLine(committed) };
  const transaction = await host.begin({ committedBy });
  try {
    await writeChanges(host, [...plan.written, ...directoriesAround(plan.written, read)]);
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  // The saved record commits the files too.
  parts.save({ base: next, committed });
  await transaction.commit();
  await parts.releaseBases();
  const { updated, merged, conflicts } = plan;
  return Object.freeze({ updated, merged, conflicts });
}

/** New directories with their attributes, which a diff omits because the files in them imply them. */
function directoriesAround(
  written: readonly TreeChange[],
  read: HostNodes["read"],
): Pick<TreeChange, "before" | "after">[] {
  const needed = new Set<VirtualPath>();
  for (const { after } of written) {
    if (after === undefined) continue;
    let at = paths.parentPath(after.path);
    for (; at !== "" && !needed.has(at); at = paths.parentPath(at)) needed.add(at);
  }
  return [...needed].flatMap((path) => {
    const after = read.get(path);
    return after?.kind === "directory" ? [{ before: undefined, after }] : [];
  });
}

function directoryEntry(path: VirtualPath, stat: Stats): TreeEntry {
  const read = () => new Uint8Array();
  const attributes = { mode: stat.mode & 0o777, modifiedAtMs: Math.round(stat.mtimeMs) };
  const node = { kind: "directory", executable: false, sizeBytes: 0, contentId: "" } as const;
  return { path, ...node, ...attributes, read };
}
