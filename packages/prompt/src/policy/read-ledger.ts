import { defineEvent, defineSlice } from "@wink/session";
import { jsonSchema } from "../schema/json-schema.js";

/** Lines from the first up to and without the second, counted from 0. */
export type LineRange = readonly [from: number, to: number];

/** What the model knows of a file. */
export interface KnownFile {
  /** The path of the workspace section that owns it. */
  readonly workspace: string;
  /** As the filesystem spells it. */
  readonly path: string;
  readonly revision: string;
  /** Whether all of the content is known. */
  readonly complete: boolean;
  /** Which lines were seen, in order, not touching one another. */
  readonly ranges: readonly LineRange[];
}

interface FileSeen {
  readonly workspace: string;
  readonly path: string;
  readonly revision: string;
  readonly offset: number;
  readonly lineCount: number;
  readonly totalLines: number;
}

interface FileChanged {
  readonly workspace: string;
  readonly path: string;
  readonly revision: string;
  readonly extent: "whole" | "part" | "transfer";
}

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

/** The model was shown some of a file. */
export const SeeFile = defineEvent(
  "prompt.see-file",
  jsonSchema<FileSeen>(
    closed({
      workspace: text,
      path: text,
      revision: text,
      offset: count,
      lineCount: count,
      totalLines: count,
    }),
  ),
);

/** A call of the model changed a file. */
export const ChangeFile = defineEvent(
  "prompt.change-file",
  jsonSchema<FileChanged>(
    closed({
      workspace: text,
      path: text,
      revision: text,
      extent: { enum: ["whole", "part", "transfer"] },
    }),
  ),
);

/** What the model knows of each file. A call that is undone takes what it had shown back with it. */
export const ReadLedger = defineSlice({
  name: "prompt.read-ledger",
  schema: jsonSchema<KnownFile>(
    closed({
      workspace: text,
      path: text,
      revision: text,
      complete: { type: "boolean" },
      ranges: { type: "array", items: { type: "array", items: count, minItems: 2, maxItems: 2 } },
    }),
  ),
  reducers: (on) => [
    on(SeeFile, (files, seen) => replace(files, seen, see(find(files, seen), seen))),
    on(ChangeFile, (files, change) => replace(files, change, after(find(files, change), change))),
  ],
});

type Place = Pick<KnownFile, "workspace" | "path">;

function find(files: readonly KnownFile[], place: Place): KnownFile | undefined {
  return files.find((file) => isSame(file, place));
}

function isSame(file: Place, { workspace, path }: Place): boolean {
  return file.workspace === workspace && file.path === path;
}

function replace(files: readonly KnownFile[], place: Place, file: KnownFile | undefined) {
  const others = files.filter((each) => !isSame(each, place));
  return file === undefined ? others : [...others, file];
}

function see(known: KnownFile | undefined, seen: FileSeen): KnownFile {
  const { workspace, path, revision, offset, lineCount, totalLines } = seen;
  // What was seen of another revision says nothing about this one.
  const before = known?.revision === revision ? known : undefined;
  const ranges = merge([...(before?.ranges ?? []), [offset, offset + lineCount]]);
  const covered = ranges.some(([from, to]) => from === 0 && to >= totalLines);
  return { workspace, path, revision, ranges, complete: covered || before?.complete === true };
}

function after(known: KnownFile | undefined, change: FileChanged): KnownFile | undefined {
  const { workspace, path, revision, extent } = change;
  if (extent === "whole") return { workspace, path, revision, complete: true, ranges: [] };
  // Whoever moves a file somewhere need not know what is in it.
  if (extent === "transfer" || known === undefined) return undefined;
  // An edit moves lines about, so what was seen of a part can no longer be told by line.
  return { ...known, revision, ranges: [] };
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

function closed(properties: Readonly<Record<string, object>>) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
