import { defineEvent, defineSlice } from "@wink/session";
import { jsonSchema } from "../schema/json-schema.js";

/** A range of lines, counted from 0. `to` is exclusive. */
export type LineRange = readonly [from: number, to: number];

/** What the model has seen of a file. */
export interface KnownFile {
  /** The path of the workspace section that owns the file. */
  readonly workspace: string;
  /** The path as the filesystem reports it. */
  readonly path: string;
  readonly revision: string;
  /** Whether the model has seen the whole content. */
  readonly complete: boolean;
  /** The lines that the model has seen, sorted, without overlaps. */
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

/** The model has seen a part of a file. */
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

/** A tool call changed a file. */
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

/**
 * What the model has seen of each file. Rolling back a call also removes what that call had shown.
 */
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
  // Lines seen in another revision are not valid for this one.
  const before = known?.revision === revision ? known : undefined;
  const ranges = merge([...(before?.ranges ?? []), [offset, offset + lineCount]]);
  const covered = ranges.some(([from, to]) => from === 0 && to >= totalLines);
  return { workspace, path, revision, ranges, complete: covered || before?.complete === true };
}

function after(known: KnownFile | undefined, change: FileChanged): KnownFile | undefined {
  const { workspace, path, revision, extent } = change;
  if (extent === "whole") return { workspace, path, revision, complete: true, ranges: [] };
  // Moving or copying a file does not show its content.
  if (extent === "transfer" || known === undefined) return undefined;
  // An edit moves lines, so the old line numbers are invalid.
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
