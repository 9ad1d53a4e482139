import type { JsonDelta } from "../model/json-delta.js";
import type { FileRow } from "../model/run-views.js";
import type { FileJson, TreeJson } from "./page-format.js";
import type { FileVersion } from "./run-data.js";

const KINDS = { f: "file", d: "directory", l: "symlink" } as const;

/** The rows of a tree, each directory before its content. */
export function rowsOf(tree: TreeJson): readonly FileRow[] {
  const rows = Object.entries(tree).map(
    ([path, [kind, sizeBytes, mode, content]]): FileRow => ({
      ...{ path, kind: KINDS[kind], sizeBytes, mode, content },
    }),
  );
  const sorted = rows.map((row) => ({ row, key: row.path.replaceAll("/", "\0") }));
  return sorted.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
}

/** A state of the files: the whole tree at the start of a segment, or the change to the state before. */
export type HistoryFrame = { readonly sequence: number } & (
  | { readonly tree: TreeJson }
  | { readonly delta: JsonDelta }
);

interface Step {
  readonly sequence: number;
  /** `null` means that the path does not exist from here on. */
  readonly content: string | null;
}

/** The versions of the file at a path, oldest first. Renames are followed. */
export function fileHistory(frames: readonly HistoryFrame[], path: string): readonly FileVersion[] {
  const steps = stepsOf(frames);
  const versions: FileVersion[] = [];
  const add = (current: string, before: number): void => {
    const own = (steps.get(current) ?? []).filter(({ sequence }) => sequence < before);
    const start = own.findLastIndex(({ content }) => content === null) + 1;
    const [first] = own.slice(start);
    if (first === undefined) return;
    const source = sourceOf(steps, first, current);
    if (source !== undefined) add(source, first.sequence);
    for (const { sequence, content } of own.slice(start))
      if (content !== null && versions.at(-1)?.content !== content)
        versions.push({ sequence, path: current, content });
  };
  add(path, Number.POSITIVE_INFINITY);
  return versions;
}

/** The old path of a renamed file: a path that was deleted at the same event and had the same content. */
function sourceOf(
  steps: ReadonlyMap<string, readonly Step[]>,
  first: Step,
  path: string,
): string | undefined {
  for (const [other, list] of steps) {
    const at = other === path ? -1 : list.findIndex(({ sequence }) => sequence === first.sequence);
    if (at > 0 && list[at]?.content === null && list[at - 1]?.content === first.content)
      return other;
  }
  return undefined;
}

function stepsOf(frames: readonly HistoryFrame[]): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  const note = (path: string, sequence: number, content: string | null) => {
    const list = steps.get(path);
    if (list === undefined) steps.set(path, [{ sequence, content }]);
    else if (list.at(-1)?.content !== content) list.push({ sequence, content });
  };
  for (const frame of frames) {
    const { sequence } = frame;
    if ("tree" in frame) {
      for (const [path, [, , , content]] of Object.entries(frame.tree))
        note(path, sequence, content);
      for (const path of steps.keys())
        if (!Object.hasOwn(frame.tree, path)) note(path, sequence, null);
    } else if (frame.delta[0] === "o") {
      const [, changed, removed] = frame.delta;
      // The exporter writes whole rows.
      for (const [path, delta] of Object.entries(changed))
        if (delta[0] === "v") note(path, sequence, (delta[1] as FileJson)[3]);
      for (const path of removed) note(path, sequence, null);
    }
  }
  return steps;
}
