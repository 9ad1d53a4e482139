import { defineSlice } from "@wink/session";
import { is, plainSchema } from "../schema/event-schema.js";
import { EndToolCall, type ToolCallFile } from "../tool/tool-calls.js";

/** What the model has seen of a file. */
export interface KnownFile {
  /** The path of the workspace section that owns the file. */
  readonly workspace: string;
  /** The path as the filesystem reports it. */
  readonly path: string;
  readonly revision: string;
  /** Whether the model has seen the whole content. */
  readonly complete: boolean;
  /** The lines that the model has seen, counted from 0, sorted, without overlaps. `to` is exclusive. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

type LineRange = KnownFile["ranges"][number];

/** What the model has seen of each file. Rolling back a call also removes the files that the call had shown. */
export const ReadLedger = defineSlice({
  name: "prompt.read-ledger",
  schema: plainSchema<KnownFile>(
    is.object({
      workspace: is.text,
      path: is.text,
      revision: is.text,
      complete: is.flag,
      ranges: is.listOf(is.listOf(is.amount)),
    }),
  ),
  reducers: (on) => [on(EndToolCall, (known, { files = [] }) => files.reduce(learn, known))],
});

function learn(known: readonly KnownFile[], file: ToolCallFile): readonly KnownFile[] {
  const isSame = ({ workspace, path }: KnownFile) =>
    workspace === file.workspace && path === file.path;
  const before = known.find(isSame);
  const after = file.how === "view" ? see(before, file) : change(before, file);
  const others = before === undefined ? known : known.filter((each) => !isSame(each));
  return after === undefined ? others : [...others, after];
}

function see(known: KnownFile | undefined, file: ToolCallFile): KnownFile {
  const {
    workspace,
    path,
    revision = "",
    lines: [offset = 0, lineCount = 0, total = 0] = [],
  } = file;
  // Lines seen in another revision are not valid for this one.
  const before = known?.revision === revision ? known : undefined;
  const ranges = merge([...(before?.ranges ?? []), [offset, offset + lineCount]]);
  const covered = ranges.some(([from, to]) => from === 0 && to >= total);
  return { workspace, path, revision, ranges, complete: covered || before?.complete === true };
}

function change(known: KnownFile | undefined, file: ToolCallFile): KnownFile | undefined {
  const { workspace, path, revision, how } = file;
  // Moving or copying a file does not show its content.
  if (how === "transfer" || revision === undefined) return undefined;
  if (how === "whole") return { workspace, path, revision, complete: true, ranges: [] };
  // An edit moves lines, so the old line numbers are invalid.
  return known && { ...known, revision, ranges: [] };
}

function merge(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: LineRange[] = [];
  for (const [from, to] of [...ranges].sort(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    else merged.push([from, to]);
  }
  return merged;
}
