import { TimeSlices } from "../content/time-slices.js";
import { blobId } from "../patch/unified-patch-blob.js";
import type { VirtualPath } from "../path/virtual-path.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import { TarBlocks } from "./tar-blocks.js";
import {
  BLOCK_BYTES,
  decodeHeader,
  isEmptyBlock,
  paddingBytes,
  type TarHeader,
} from "./tar-format.js";
import { ArchivedTree, archivedPath } from "./tar-names.js";
import { decodePax, latin1, type PaxRecords } from "./tar-pax.js";

/** No system has longer names or records. */
const MAX_RECORD_BYTES = 1024 * 1024;
const NO_RECORDS: PaxRecords = new Map();

/**
 * Yields the nodes of a tar archive, each directory before its content, including directories that the archive does not
 * list.
 *
 * Fails with `INVALID_ARCHIVE` at the first problem: a name that is absolute or escapes the archive, a path that occurs
 * twice or is below a file or link, a hard link to something not earlier in the archive, a device, a bad checksum, an
 * early end. The target of a symbolic link is stored unchanged, because links are never followed here.
 */
export async function* readTar(
  archive: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<TreeEntry, void, void> {
  const blocks = new TarBlocks(archive);
  const tree = new ArchivedTree();
  const files = new Map<VirtualPath, TreeEntry>();
  const slices = new TimeSlices();
  try {
    for (let item = await nextItem(blocks); item !== undefined; item = await nextItem(blocks)) {
      if (slices.isOver()) await slices.pause();
      const path = archivedPath(item.name);
      if (path === "" && item.type === "5") continue;
      const entry = await entryOf(item, path, files);
      for (const parent of tree.missingParents(path)) {
        if (slices.isOver()) await slices.pause();
        tree.add(parent, "directory");
        yield directoryAt(parent);
      }
      if (!tree.add(path, entry.kind)) continue;
      if (entry.kind === "file") files.set(path, entry);
      yield entry;
    }
  } finally {
    await blocks.close();
  }
}

interface Item extends TarHeader {
  readonly content: Uint8Array;
  /** `undefined` if the archive does not say. */
  readonly modifiedAtMs: number | undefined;
}

/** The next header with its content, after applying the records before it. */
async function nextItem(blocks: TarBlocks): Promise<Item | undefined> {
  let records = NO_RECORDS;
  let longName: Uint8Array | undefined;
  let longLink: Uint8Array | undefined;
  for (;;) {
    const header = await nextHeader(blocks);
    if (header === undefined) return undefined;
    if (header.type === "x") records = await readRecords(blocks, header);
    // Global records (such as git's comment) say nothing about a single node.
    else if (header.type === "g") await readRecords(blocks, header);
    else if (header.type === "L") longName = await readLongName(blocks, header);
    else if (header.type === "K") longLink = await readLongName(blocks, header);
    else {
      const item = extend(header, records, longName, longLink);
      // Only a file has content. Some archives give a link the size of its target.
      const content = isFile(item.type)
        ? await readContent(blocks, item.sizeBytes)
        : new Uint8Array();
      return { ...item, content };
    }
  }
}

async function nextHeader(blocks: TarBlocks): Promise<TarHeader | undefined> {
  const block = await blocks.take(BLOCK_BYTES);
  if (block === undefined) throw invalid("the archive ends without an end marker");
  if (isEmptyBlock(block)) return undefined;
  const header = decodeHeader(block);
  if (header === undefined) throw invalid("a header is damaged");
  return header;
}

async function readContent(blocks: TarBlocks, sizeBytes: number): Promise<Uint8Array> {
  const content = await blocks.take(sizeBytes);
  const padding = await blocks.take(paddingBytes(sizeBytes));
  if (content === undefined || padding === undefined) throw invalid("the archive ends too early");
  return content;
}

async function readRecords(blocks: TarBlocks, { sizeBytes }: TarHeader): Promise<PaxRecords> {
  if (sizeBytes > MAX_RECORD_BYTES) throw invalid("a record is too long");
  const records = decodePax(await readContent(blocks, sizeBytes));
  if (records === undefined) throw invalid("a record is damaged");
  if ([...records.keys()].some((key) => key.startsWith("GNU.sparse")))
    throw invalid("the archive contains sparse files; create it without --sparse");
  return records;
}

async function readLongName(blocks: TarBlocks, { sizeBytes }: TarHeader): Promise<Uint8Array> {
  if (sizeBytes > MAX_RECORD_BYTES) throw invalid("a name is too long");
  const name = await readContent(blocks, sizeBytes);
  const end = name.indexOf(0);
  return end < 0 ? name : name.subarray(0, end);
}

function extend(
  header: TarHeader,
  records: PaxRecords,
  longName: Uint8Array | undefined,
  longLink: Uint8Array | undefined,
): Omit<Item, "content"> {
  const size = records.get("size");
  const sizeBytes = size === undefined ? header.sizeBytes : Number(latin1(size));
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
    throw invalid("a size is not a valid number");
  return {
    ...header,
    modifiedAtMs: timeOf(header, records.get("mtime")),
    sizeBytes,
    name: records.get("path") ?? longName ?? header.name,
    linkName: records.get("linkpath") ?? longLink ?? header.linkName,
  };
}

/** Archives without times have a 0. */
function timeOf(
  { modifiedAtSeconds }: TarHeader,
  record: Uint8Array | undefined,
): number | undefined {
  if (record === undefined) return modifiedAtSeconds === 0 ? undefined : modifiedAtSeconds * 1000;
  const milliseconds = Math.round(Number(latin1(record)) * 1000);
  if (Number.isNaN(milliseconds)) throw invalid("a time is not a valid number");
  return Math.abs(milliseconds) <= MAX_TIME_MS ? milliseconds : undefined;
}

/** The largest time of a `Date`. */
const MAX_TIME_MS = 8.64e15;

function isFile(type: string): boolean {
  return type === "0" || type === "7";
}

async function entryOf(
  item: Item,
  path: VirtualPath,
  files: ReadonlyMap<VirtualPath, TreeEntry>,
): Promise<TreeEntry> {
  const { modifiedAtMs } = item;
  const mode = item.mode & 0o777;
  // Old archives mark a directory only by a trailing slash in its name.
  if (item.type === "5" || (isFile(item.type) && item.name.at(-1) === 0x2f))
    return { ...directoryAt(path), mode: mode | 0o700, modifiedAtMs };
  if (isFile(item.type)) {
    const executable = (mode & 0o100) !== 0;
    return {
      ...(await contentAt(path, "file", item.content)),
      executable,
      mode,
      modifiedAtMs,
    };
  }
  if (item.type === "2" && item.linkName.length === 0) throw invalid("a link has no target", path);
  if (item.type === "2")
    return { ...(await contentAt(path, "symlink", item.linkName.slice())), modifiedAtMs };
  if (item.type === "1") {
    const target = files.get(archivedPath(item.linkName));
    if (target === undefined)
      throw invalid("the target of a hard link is not in the archive", path);
    return { ...target, path };
  }
  throw invalid("devices and other special files are not supported", path);
}

function directoryAt(path: VirtualPath): TreeEntry {
  return {
    path,
    kind: "directory",
    executable: false,
    sizeBytes: 0,
    contentId: "",
    read: () => new Uint8Array(),
  };
}

async function contentAt(
  path: VirtualPath,
  kind: "file" | "symlink",
  content: Uint8Array,
): Promise<TreeEntry> {
  const contentId = await blobId(content);
  const sizeBytes = content.length;
  return { path, kind, executable: false, sizeBytes, contentId, read: () => content };
}

function invalid(reason: string, path?: string): SnapshotError {
  return new SnapshotError("INVALID_ARCHIVE", { reason, ...(path && { paths: [path] }) });
}
