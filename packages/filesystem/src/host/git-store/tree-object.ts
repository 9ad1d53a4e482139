import { rawName, shownName } from "../../path/host-name.js";
import type { ObjectFormat } from "./object-format.js";
import {
  ATTRIBUTES_ITEM,
  ATTRIBUTES_NAME,
  encodeAttributes,
  type NodeAttributes,
} from "./tree-attributes.js";
import { diskName, isPlain, type NamesEscaped, treeName } from "./tree-name.js";

export type EntryKind = "file" | "executable" | "symlink" | "directory";

/** One entry of a tree object, with the name that the workspace shows. */
export interface TreeItem extends NodeAttributes {
  readonly name: string;
  readonly kind: EntryKind;
  readonly id: string;
}

const MODES: Readonly<Record<EntryKind, string>> = {
  file: "100644",
  executable: "100755",
  symlink: "120000",
  directory: "40000",
};

const KINDS: ReadonlyMap<string, EntryKind> = new Map(
  // The keys are those of `MODES`.
  Object.entries(MODES).map(([kind, mode]) => [mode, kind as EntryKind]),
);

/** The content of a tree object. Items may be in any order. */
export function encodeTree(items: readonly TreeItem[], escaped: NamesEscaped = "every"): Buffer {
  const lines = items.map((item) => ({ item, key: sortKey(item, escaped) }));
  lines.sort((a, b) => (a.key < b.key ? -1 : 1));
  const parts: Buffer[] = [];
  for (const { item, key } of lines) {
    const name = item.kind === "directory" ? key.slice(0, -1) : key;
    parts.push(Buffer.from(`${MODES[item.kind]} ${name}\0`, "latin1"), Buffer.from(item.id, "hex"));
  }
  return Buffer.concat(parts);
}

/** Stores a directory with the attributes of its nodes, if they are known. Returns the ID of the tree object. */
export function putTree(
  put: (type: "blob" | "tree", content: Buffer) => string,
  items: readonly TreeItem[],
  escaped: NamesEscaped = "every",
): string {
  const record = encodeAttributes(items);
  if (record === undefined) return put("tree", encodeTree(items, escaped));
  const side: TreeItem = { name: ATTRIBUTES_ITEM, kind: "file", id: put("blob", record) };
  return put("tree", encodeTree([...items, side], escaped));
}

/** git sorts by bytes, and a directory as if its name ended in a slash. One character represents one byte here. */
function sortKey({ name, kind }: TreeItem, escaped: NamesEscaped): string {
  if (name === ATTRIBUTES_ITEM) return ATTRIBUTES_NAME;
  const key = isPlain(name, escaped) ? name : bytesOf(name, escaped).toString("latin1");
  return kind === "directory" ? `${key}/` : key;
}

function bytesOf(name: string, escaped: NamesEscaped): Buffer {
  const raw = rawName(name);
  if (raw === undefined) throw new Error("this does not encode a name on disk");
  return treeName(typeof raw === "string" ? Buffer.from(raw) : raw, escaped);
}

/** Decodes a tree object, with its side record as `ATTRIBUTES_ITEM`. Returns `undefined` if it is invalid or contains entries that this store never writes. */
export function decodeTree(format: ObjectFormat, content: Buffer): readonly TreeItem[] | undefined {
  const items: TreeItem[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const nameEnd = content.indexOf(0, at);
    const end = nameEnd + 1 + format.idBytes;
    if (space < 0 || nameEnd < space || end > content.length) return undefined;
    const kind = KINDS.get(content.toString("latin1", at, space));
    const name = nameOf(content.subarray(space + 1, nameEnd));
    if (kind === undefined || !(isSegment(name) || name === ATTRIBUTES_ITEM)) return undefined;
    items.push({ name, kind, id: content.toString("hex", nameEnd + 1, end) });
    at = end;
  }
  return items;
}

function nameOf(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  if (text === ATTRIBUTES_NAME) return ATTRIBUTES_ITEM;
  return isPlain(text) ? text : shownName(diskName(bytes));
}

/** Refuses names that would escape from the directory when they are restored. */
function isSegment(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("/");
}
