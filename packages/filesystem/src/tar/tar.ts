import { pathBytes } from "../path/host-name.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import {
  BLOCK_BYTES,
  encodeHeader,
  MAX_PLAIN_NAME_BYTES,
  MAX_PLAIN_SIZE,
  paddingBytes,
} from "./tar-format.js";
import { encodePax } from "./tar-pax.js";

export { readTar } from "./tar-reading.js";

const NOTHING = new Uint8Array();
const TYPES = { file: "0", symlink: "2", directory: "5" } as const;

/**
 * Writes a tree as a tar archive, in chunks. Uses pax records if a name or a size does not fit into the header. The
 * same tree gives the same bytes.
 */
export async function* writeTar(
  entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const entry of entries) {
    const isFile = entry.kind === "file";
    const content = entry.kind === "directory" ? NOTHING : await entry.read();
    yield* headerOf(entry, content);
    if (!isFile || content.length === 0) continue;
    yield content;
    const padding = paddingBytes(content.length);
    if (padding > 0) yield new Uint8Array(padding);
  }
  // Two empty blocks mark the end of an archive.
  yield new Uint8Array(2 * BLOCK_BYTES);
}

function* headerOf(entry: TreeEntry, content: Uint8Array): Generator<Uint8Array, void, void> {
  const isDirectory = entry.kind === "directory";
  const name = pathBytes(isDirectory ? `${entry.path}/` : entry.path);
  const linkName = entry.kind === "symlink" ? content : NOTHING;
  const sizeBytes = entry.kind === "file" ? content.length : 0;
  const records = new Map<string, Uint8Array>();
  if (needsRecord(name)) records.set("path", name);
  if (needsRecord(linkName)) records.set("linkpath", linkName);
  if (sizeBytes > MAX_PLAIN_SIZE) records.set("size", pathBytes(String(sizeBytes)));
  if (needsTimeRecord(entry.modifiedAtMs))
    records.set("mtime", pathBytes(((entry.modifiedAtMs ?? 0) / 1000).toFixed(3)));
  if (records.size > 0) {
    // Declares that paths are raw bytes, which need not be valid text.
    if (!isText(name) || !isText(linkName))
      yield* extended(new Map([["hdrcharset", pathBytes("BINARY")], ...records]));
    else yield* extended(records);
  }
  const mode = entry.kind === "symlink" ? 0o777 : (entry.mode ?? plainMode(entry));
  const modifiedAtSeconds = plainSeconds(entry.modifiedAtMs);
  const type = TYPES[entry.kind];
  yield encodeHeader({ name, mode, modifiedAtSeconds, sizeBytes, type, linkName });
}

function* extended(records: ReadonlyMap<string, Uint8Array>): Generator<Uint8Array, void, void> {
  const body = encodePax(records);
  const name = pathBytes("PaxHeader");
  yield encodeHeader({
    name,
    mode: 0o644,
    modifiedAtSeconds: 0,
    sizeBytes: body.length,
    type: "x",
    linkName: NOTHING,
  });
  yield body;
  const padding = paddingBytes(body.length);
  if (padding > 0) yield new Uint8Array(padding);
}

function plainMode({ kind, executable }: TreeEntry): number {
  return kind === "directory" || executable ? 0o755 : 0o644;
}

/** The header holds whole seconds from 1970 in eleven octal digits. 0 means that the time is unknown. */
function plainSeconds(modifiedAtMs = 0): number {
  return Math.min(Math.max(0, Math.floor(modifiedAtMs / 1000)), MAX_PLAIN_SIZE);
}

function needsTimeRecord(modifiedAtMs: number | undefined): boolean {
  if (modifiedAtMs === undefined) return false;
  return modifiedAtMs <= 0 || plainSeconds(modifiedAtMs) * 1000 !== modifiedAtMs;
}

function needsRecord(name: Uint8Array): boolean {
  return name.length > MAX_PLAIN_NAME_BYTES || name.some((byte) => byte >= 0x80);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function isText(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
