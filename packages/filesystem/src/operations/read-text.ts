import { decodeText, type FileContent } from "../content/file-content.js";
import type { ReadOptions, ReadResult } from "../protocol/filesystem.js";
import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";
import { findFile } from "./find-node.js";
import { type Page, pageOf } from "./page.js";
import { loadFile } from "./walk-tree.js";
import { failure, type Target, type Workspace } from "./workspace.js";

/** Synchronous if the driver is, because reading is the most frequent operation. */
export function readText(
  workspace: Workspace,
  target: Target,
  options: ReadOptions,
): MaybePromise<ReadResult> {
  const { driver, limits } = workspace;
  requireUtf8(target, options.encoding);
  const page = pageOf(target, options, limits.defaultReadLines);
  const loaded = target.namesDirectory
    ? undefined
    : driver.accelerate?.load?.(target.path, limits.maxReadFileBytes, options);
  if (loaded === undefined) return readSlowly(workspace, target, page);
  if (!isPromise(loaded)) return present(workspace, target, page, loaded);
  return loaded.then((content) =>
    content ? present(workspace, target, page, content) : readSlowly(workspace, target, page),
  );
}

async function readSlowly(workspace: Workspace, target: Target, page: Page): Promise<ReadResult> {
  return present(workspace, target, page, await findContent(workspace, target));
}

function present(
  workspace: Workspace,
  target: Target,
  page: Page,
  content: FileContent,
): ReadResult {
  const text = content.text();
  if (text === undefined)
    throw failure(target, "EILSEQ", describeBytes(content.bytes()), "Use readBytes.");
  return cutPage(target.path, content, text, page, workspace.limits.maxReadBytes);
}

async function findContent(workspace: Workspace, target: Target): Promise<FileContent> {
  const { driver, limits } = workspace;
  const { path, stat } = await findFile(workspace, target);
  const { sizeBytes } = stat;
  const content = await loadFile(driver, path, limits.maxReadFileBytes, target.options);
  if (content !== undefined) return content;
  if (sizeBytes > limits.maxReadFileBytes)
    throw failure(
      target,
      "EFBIG",
      `the file has ${sizeBytes} bytes, and read takes at most ${limits.maxReadFileBytes}`,
      "Use openText, openRead or readBytes.",
    );
  // The file was deleted in the meantime.
  throw failure(target, "ENOENT");
}

function cutPage(
  path: string,
  content: FileContent,
  text: string,
  { offset, limit }: Page,
  maxBytes: number,
): ReadResult {
  const totalLines = content.lineCount(text);
  const last = Math.min(offset + limit, totalLines);
  const whole = offset === 0 && last === totalLines;
  const slice = whole ? text : content.lines(text, offset, last);
  const shown = content.sizeBytes <= maxBytes ? slice : clip(slice, maxBytes);
  return Object.freeze({
    path,
    content: shown,
    totalLines,
    offset,
    limit,
    truncated: last < totalLines || shown !== slice,
    revision: content.revision,
  });
}

/** The longest prefix of `text` that fits, without splitting a character. */
function clip(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(
    text,
    new Uint8Array(Math.min(maxBytes, text.length * 3)),
  );
  return text.slice(0, read);
}

function requireUtf8(target: Target, encoding: string | undefined): void {
  if (encoding === undefined || String(encoding).toLowerCase().replace("-", "") === "utf8") return;
  throw failure(target, "EINVAL", "only utf-8 text can be read", "Use readBytes for the rest.");
}

/** Says at which byte the text is invalid and, if recognised, which encoding it has. */
function describeBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return "it is UTF-16 or UTF-32, not UTF-8 text";
  return `it is not UTF-8 text (byte ${validPrefix(bytes)})`;
}

const PIECE_BYTES = 64 * 1024;

/** The number of valid UTF-8 bytes from the start. */
function validPrefix(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let start = 0;
  while (start < bytes.length && decodes(decoder, bytes.subarray(start, start + PIECE_BYTES)))
    start += PIECE_BYTES;
  const first = lastCharacter(bytes, Math.min(start, bytes.length));
  return first + validPrefixOfPiece(bytes.subarray(first, start + PIECE_BYTES));
}

/** A binary search. */
function validPrefixOfPiece(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    // Streaming, so that a character cut off by the search is not an error.
    if (decodes(new TextDecoder("utf-8", { fatal: true }), bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  // An incomplete character is invalid from its first byte.
  while (low > 0 && decodeText(bytes.subarray(0, low)) === undefined) low--;
  return low;
}

/** The start of the last character before `end`. The character may extend beyond `end`. */
function lastCharacter(bytes: Uint8Array, end: number): number {
  let start = Math.max(0, end - 1);
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

function decodes(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
