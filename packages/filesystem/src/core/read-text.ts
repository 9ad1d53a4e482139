import type { FileContent, LineEnds } from "../file-content.js";
import type { ReadOptions, ReadResult } from "../filesystem.js";
import { isPromise, type MaybePromise } from "../maybe-promise.js";
import { requireFile } from "./find-node.js";
import { type Page, pageOf } from "./page.js";
import { failure, type Target } from "./target.js";
import { loadFile } from "./walk-tree.js";
import type { Workspace } from "./workspace.js";

/** Answers at once when the driver does: reading is what is done most. */
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
    : driver.load?.(target.path, limits.maxReadFileBytes);
  if (loaded !== undefined && !isPromise(loaded)) return present(workspace, target, page, loaded);
  return readSlowly(workspace, target, page, loaded);
}

async function readSlowly(
  workspace: Workspace,
  target: Target,
  page: Page,
  loaded: Promise<FileContent | undefined> | undefined,
): Promise<ReadResult> {
  const content = (await loaded) ?? (await findContent(workspace, target));
  return present(workspace, target, page, content);
}

function present(
  workspace: Workspace,
  target: Target,
  page: Page,
  content: FileContent,
): ReadResult {
  const { maxReadBytes } = workspace.limits;
  // What is cut by its bytes is cut anew: content is shared with filesystems that have other limits.
  const isWhole = content.sizeBytes <= maxReadBytes;
  if (isWhole && isAnswer(content.answer, target, page)) return content.answer;
  const text = content.text();
  if (text === undefined) throw failure(target, "EILSEQ", describeBytes(content.bytes()));
  const answer = cutPage(target.path, content, text, page, maxReadBytes);
  return isWhole ? content.keepAnswer(answer) : answer;
}

/** Files are read again and again by the same page: what was answered then is the answer still. */
function isAnswer(
  answer: ReadResult | undefined,
  { path }: Target,
  { offset, limit }: Page,
): answer is ReadResult {
  return answer?.path === path && answer.offset === offset && answer.limit === limit;
}

async function findContent(workspace: Workspace, target: Target): Promise<FileContent> {
  const { driver, limits } = workspace;
  const { sizeBytes } = await requireFile(workspace, target);
  const content = await loadFile(driver, target.path, limits.maxReadFileBytes);
  if (content !== undefined) return content;
  if (sizeBytes > limits.maxReadFileBytes)
    throw failure(
      target,
      "EFBIG",
      `read takes files of at most ${limits.maxReadFileBytes} bytes; open a stream`,
    );
  // It was there a moment ago and is not any more.
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
  const slice = whole ? text : sliceLines(text, content.lineEnds(text), offset, last);
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

/** The lines from `first` up to and without `last`. */
function sliceLines(text: string, ends: LineEnds, first: number, last: number): string {
  if (first >= last) return "";
  const start = first === 0 ? 0 : ends[first - 1];
  return text.slice(start, ends[last - 1]);
}

/** The longest beginning of `text` that fits, no character split. */
function clip(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(
    text,
    new Uint8Array(Math.min(maxBytes, text.length * 3)),
  );
  return text.slice(0, read);
}

function requireUtf8(target: Target, encoding: string | undefined): void {
  if (encoding === undefined || String(encoding).toLowerCase().replace("-", "") === "utf8") return;
  throw failure(target, "EINVAL", "only utf-8 text can be read; use readBytes for anything else");
}

/** Says where the text breaks and, if it can be told, what the file is instead. */
function describeBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return "file is UTF-16 or UTF-32, not UTF-8 text; use readBytes";
  return `file is not UTF-8 text (byte ${validPrefix(bytes)}); use readBytes`;
}

/** How many bytes from the start are UTF-8, found by halving. */
function validPrefix(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    // Streaming: a character cut off by the halving is not yet an error.
    if (decodes(bytes.subarray(0, middle), true)) low = middle;
    else high = middle - 1;
  }
  // Nor is it one that has ended: what breaks off is wrong from where it began.
  while (low > 0 && !decodes(bytes.subarray(0, low), false)) low--;
  return low;
}

function decodes(bytes: Uint8Array, stream: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}
