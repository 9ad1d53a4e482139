import { createHash } from "node:crypto";
import { diffText, type TreeChange, type TreeEntry } from "@wink/filesystem";
import { modeOf } from "../apply/merge-mode.js";
import { isLargeEntry } from "../apply/side-content.js";
import { WorkspaceError } from "../error/workspace-error.js";
import { fileEntry } from "./incoming-files.js";

/** A part of a file's change that can be applied alone. */
export interface ChangeHunk {
  /** Depends on the file and the content, so that a hunk that changed has another id. */
  readonly id: string;
  /** The path of the file. */
  readonly path: string;
  /**
   * The unified diff of the hunk, or the old and the new mode as in a patch of git. Empty if the change can only be
   * applied as a whole.
   */
  readonly text: string;
}

/** A change with its hunks: one for each group of changed lines and one for the mode, or one for everything. */
export interface FileDiff {
  readonly type: TreeChange["type"];
  readonly path: string;
  readonly oldPath?: string | undefined;
  readonly hunks: readonly ChangeHunk[];
}

export async function diffOf(change: TreeChange): Promise<FileDiff> {
  const { type, before, after } = change;
  const path = (after ?? before)?.path ?? "";
  const oldPath = type === "renamed" ? before?.path : undefined;
  const texts = (await hunkTexts(change)) ?? [""];
  const hunks = texts.map((text) => ({ id: idOf(change, text), path, text }));
  return { type, path, ...(oldPath !== undefined && { oldPath }), hunks };
}

/** The changes with only the given hunks. Throws if an id is not found. */
export async function selectHunks(
  changes: readonly TreeChange[],
  ids: readonly string[],
): Promise<readonly TreeChange[]> {
  const wanted = new Set(ids);
  const selected: TreeChange[] = [];
  const found = new Set<string>();
  for (const change of changes) {
    const texts = await hunkTexts(change);
    const chosen = (texts ?? [""]).map((text) => {
      const id = idOf(change, text);
      if (wanted.has(id)) found.add(id);
      return wanted.has(id);
    });
    if (chosen.every((isChosen) => !isChosen)) continue;
    if (texts === undefined || chosen.every((isChosen) => isChosen)) selected.push(change);
    else selected.push(await withHunks(change, texts, chosen));
  }
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0)
    throw new WorkspaceError("UNKNOWN_HUNK", {
      subject: missing.join(", "),
      reason: "no change has this hunk. The files may have changed; call `diff()` again.",
    });
  return selected;
}

async function withHunks(
  change: TreeChange,
  texts: readonly string[],
  chosen: readonly boolean[],
): Promise<TreeChange> {
  const { before, after } = change;
  if (before === undefined || after === undefined) return change;
  const lines = (await textOf(before))?.split(/(?<=\n)/) ?? [];
  const result: string[] = [];
  let position = 0;
  let { executable, mode } = before;
  for (const [index, text] of texts.entries()) {
    if (!text.startsWith("@@ ")) {
      if (chosen[index]) ({ executable, mode } = after);
      continue;
    }
    const { start, count, kept, old } = parseHunk(text);
    result.push(...lines.slice(position, start), ...(chosen[index] ? kept : old));
    position = start + count;
  }
  result.push(...lines.slice(position));
  const bytes = new TextEncoder().encode(result.join(""));
  const entry = { ...fileEntry(after.path, bytes, executable), mode };
  return { type: "modified", before, after: entry };
}

/** The lines of a hunk of `diffText`: those of the new text and those of the old one. */
function parseHunk(text: string) {
  const [header = "", ...lines] = text.split(/(?<=\n)/);
  const [, first = "0", length = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(header) ?? [];
  const count = Number(length);
  // An empty range has the number of the line before it.
  const start = count === 0 ? Number(first) : Number(first) - 1;
  const [kept, old]: [string[], string[]] = [[], []];
  let sign = "";
  for (const line of lines) {
    if (line.startsWith("\\")) {
      // The line before has no newline at its end.
      for (const side of [kept, old]) {
        const isLast = sign === " " || (sign === "+" ? side === kept : side === old);
        const last = isLast ? side.pop() : undefined;
        if (last !== undefined) side.push(last.slice(0, -1));
      }
      continue;
    }
    sign = line.slice(0, 1);
    if (sign !== "-") kept.push(line.slice(1));
    if (sign !== "+") old.push(line.slice(1));
  }
  return { start, count, kept, old };
}

/** `undefined` if the change can only be applied as a whole. */
async function hunkTexts({ type, before, after }: TreeChange): Promise<string[] | undefined> {
  if (type !== "modified" || before?.kind !== "file" || after?.kind !== "file") return undefined;
  if (isLargeEntry(before) || isLargeEntry(after)) return undefined;
  const [old, now] = [await textOf(before), await textOf(after)];
  if (old === undefined || now === undefined) return undefined;
  const [oldMode, newMode] = [before, after].map((entry) => `100${modeOf(entry).toString(8)}\n`);
  const mode = oldMode === newMode ? "" : `old mode ${oldMode}new mode ${newMode}`;
  const texts = (await diffText(old, now)).split(/(?<=\n)(?=@@ )/);
  return [mode, ...texts].filter((text) => text !== "");
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

async function textOf(entry: TreeEntry): Promise<string | undefined> {
  const bytes = await entry.read();
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function idOf({ type, before, after }: TreeChange, text: string): string {
  const about = JSON.stringify([
    type,
    before?.path,
    after?.path,
    before?.sizeBytes,
    after?.sizeBytes,
  ]);
  return createHash("sha256").update(`${about}\0${text}`).digest("hex").slice(0, 16);
}
