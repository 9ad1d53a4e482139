import type { TreeItem } from "./tree-object.js";

/** What a tree object cannot hold: all permission bits, and times. */
export interface NodeAttributes {
  readonly mode?: number | undefined;
  readonly modifiedAtMs?: number | undefined;
}

/**
 * The name of the side record in a tree object. No file gets it, because the names of files that start with `_wink_` are
 * stored with another prefix.
 */
export const ATTRIBUTES_NAME = "_wink_attributes";
/** How a decoded tree names the record. No file has a slash in its name. */
export const ATTRIBUTES_ITEM = "/attributes";

/** The first line has the version. A record of another version is ignored. */
const HEADER = "wink-attributes 1";
const UNKNOWN = "-";

/** The side record of a directory: a line for each node with known attributes. `undefined` if there is none. */
export function encodeAttributes(
  items: readonly Pick<TreeItem, "name" | "mode" | "modifiedAtMs">[],
): Buffer | undefined {
  const lines = items
    .filter(({ mode, modifiedAtMs }) => mode !== undefined || modifiedAtMs !== undefined)
    .map(({ name, mode, modifiedAtMs }) =>
      [mode?.toString(8) ?? UNKNOWN, modifiedAtMs ?? UNKNOWN, name].join(" "),
    );
  // Names contain no line breaks, because control characters are shown as escapes.
  return lines.length === 0 ? undefined : Buffer.from([HEADER, ...lines.sort(), ""].join("\n"));
}

export function decodeAttributes(content: Buffer): ReadonlyMap<string, NodeAttributes> {
  const attributes = new Map<string, NodeAttributes>();
  const [header, ...lines] = content.toString().split("\n");
  if (header !== HEADER) return attributes;
  for (const line of lines) {
    const [, mode, time, name] = /^([0-7]{1,3}|-) (\d{1,16}|-) (.+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    attributes.set(name, {
      mode: mode === UNKNOWN ? undefined : Number.parseInt(mode ?? "", 8),
      modifiedAtMs: time === UNKNOWN ? undefined : Number(time),
    });
  }
  return attributes;
}
