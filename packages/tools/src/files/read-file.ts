import { type Filesystem, type FilesystemError, isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { answering } from "../reply/answering.js";
import { clipLine } from "../reply/clip-text.js";
import { count } from "../reply/count.js";
import { bodyCharacters, type ToolLimits } from "../reply/limits.js";
import { quote } from "../reply/quote.js";
import { splitLines } from "../reply/split-lines.js";
import { fileInput } from "./file-input.js";
import type { FileToolSettings } from "./file-tool-settings.js";
import { imageIn } from "./image-file.js";

export function readFileTool({ limits, nameTool }: FileToolSettings) {
  return defineTool({
    name: "read_file",
    description:
      "Show a text file with line numbers, or an image. A long file comes in pages; the answer says how to get the next one.",
    input: fileInput({
      offset: z
        .number()
        .int()
        .min(0)
        .default(0)
        .describe("Lines to skip before the first shown line."),
      limit: z.number().int().min(1).optional().describe("Maximum number of lines to show."),
    }),
    access: "read",
    effects: "workspace",
    handler: answering(nameTool, async ({ path, offset, limit }, { filesystem, signal }) => {
      const most = Math.min(limit ?? limits.maxReadLines, limits.maxReadLines);
      const options = { offset, limit: most, signal };
      const page = await filesystem.read(path, options).catch(async (error: unknown) => {
        if (isFilesystemError(error, "EILSEQ"))
          return await showImage(filesystem, path, error, signal);
        if (!isFilesystemError(error, "EFBIG")) throw error;
        return limit === undefined
          ? await refuseWhole(filesystem, path, signal)
          : await readPart(filesystem, path, options);
      });
      if ("success" in page) return page;
      const { totalLines, revision } = page;
      if (totalLines > 0 && offset >= totalLines)
        return fail(
          `${quote(page.path)} has ${count(totalLines, "line")}. Nothing at offset ${offset}.`,
        );
      const lines = shownLines(splitLines(page.content), limits);
      const end = offset + lines.length;
      const value = {
        path: page.path,
        content: lines.join(""),
        offset,
        lineCount: lines.length,
        totalLines,
        ...(end < totalLines && { nextOffset: end }),
        revision,
      };
      const least = "least" in page ? page.least : "";
      return ok(value, describe(value, page.content, least));
    }),
    files: {
      views: (_, { path, revision, offset, lineCount, totalLines }: Shown) => [
        { path, revision, offset, lineCount, totalLines },
      ],
    },
    render: numberLines,
  });
}

interface PartOptions {
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Reads lines of a file that is too large for `read`. It stops after them, so `totalLines` is a lower bound. */
async function readPart(filesystem: Filesystem, path: string, options: PartOptions) {
  const { offset, limit, signal } = options;
  const { path: found, revision = "" } = await filesystem.stat(path, { signal });
  await using reader = await filesystem.openText(path, { signal });
  let totalLines = 0;
  let content = "";
  for await (const line of reader.lines()) {
    if (totalLines >= offset && totalLines < offset + limit) content += line;
    if (++totalLines > offset + limit) break;
  }
  const least = totalLines > offset + limit ? "at least " : "";
  return { path: found, content, totalLines, revision, least };
}

/** Most providers refuse larger images. */
const MAX_IMAGE_BYTES = 5_000_000;

/** Shows a file that is not text as an image. Throws `error` if it is not an image. */
async function showImage(
  filesystem: Filesystem,
  path: string,
  error: FilesystemError,
  signal: AbortSignal,
) {
  const { path: found, sizeBytes, revision = "" } = await filesystem.stat(path, { signal });
  if (imageIn((await filesystem.readBytes(path, { limit: 16, signal })).content) === undefined)
    throw error;
  if (sizeBytes > MAX_IMAGE_BYTES)
    return fail(
      `${quote(path)} is an image of ${megabytes(sizeBytes)}; read_file shows at most ${megabytes(MAX_IMAGE_BYTES)}.`,
    );
  const { content: bytes } = await filesystem.readBytes(path, { limit: MAX_IMAGE_BYTES, signal });
  const image = imageIn(bytes);
  if (image === undefined) throw error;
  const value = { path: found, content: "", offset: 0, lineCount: 0, totalLines: 0, revision };
  const [, kind = ""] = image.mediaType.split("/");
  const about = `${quote(found)} is a ${kind.toUpperCase()} image of ${count(sizeBytes, "byte")}.`;
  return ok(value, about, { images: [image] });
}

async function refuseWhole(filesystem: Filesystem, path: string, signal: AbortSignal) {
  const { sizeBytes } = await filesystem.stat(path, { signal });
  const most = megabytes(filesystem.limits.maxReadFileBytes);
  return fail(`${quote(path)} is ${megabytes(sizeBytes)}; read_file reads at most ${most}.`, {
    hint: "Read a part of it with offset and limit.",
  });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString("en")} MB`;
}

/** As many lines as fit into an answer, but at least one. */
function shownLines(lines: readonly string[], limits: ToolLimits): readonly string[] {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    const clipped = clip(line, limits);
    characters += clipped.length + NUMBER_WIDTH + 1;
    if (shown.length > 0 && characters > bodyCharacters(limits)) break;
    shown.push(clipped);
  }
  return shown;
}

function clip(line: string, limits: ToolLimits): string {
  const most = Math.min(limits.maxLineCharacters, bodyCharacters(limits) - NUMBER_WIDTH - 2);
  if (line.length <= most) return line;
  const end = /\r?\n$/.exec(line)?.[0] ?? "";
  return clipLine(line.slice(0, line.length - end.length), most) + end;
}

const NUMBER_WIDTH = 8;

function numberLines({ content, offset }: Pick<Shown, "content" | "offset">): string {
  return splitLines(content)
    .map((line, index) => `${String(offset + index + 1).padStart(6)}\t${line}`)
    .join("")
    .replace(/\n$/, "");
}

/** The shown part of a file. Of a very long line, `content` has only head and tail. */
interface Shown {
  readonly path: string;
  readonly content: string;
  /** The first shown line, from 0. */
  readonly offset: number;
  readonly lineCount: number;
  readonly totalLines: number;
  /** The offset of the next page; absent on the last page. */
  readonly nextOffset?: number;
  readonly revision: string;
}

function describe(
  { path, offset, lineCount, totalLines, nextOffset, content }: Shown,
  read: string,
  least: string,
): string {
  const notes = [
    ...(read.startsWith("\uFEFF") ? ["It starts with a byte order mark."] : []),
    ...(read.includes("\r\n") ? ["Its lines end in \\r\\n; old_string must use \\r\\n too."] : []),
    ...(content.includes(" characters left out … ")
      ? ["Long lines are shortened; grep searches their full text."]
      : []),
  ];
  if (totalLines === 0) return `${quote(path)} is empty.`;
  const isWhole = offset === 0 && nextOffset === undefined;
  const total = totalLines.toLocaleString("en");
  const what = isWhole
    ? `${quote(path)}, ${count(totalLines, "line")}.`
    : `${quote(path)}, lines ${offset + 1} to ${offset + lineCount} of ${least}${total}.`;
  const next = nextOffset === undefined ? [] : [`Continue with offset ${nextOffset}.`];
  return [what, ...next, ...notes].join(" ");
}
