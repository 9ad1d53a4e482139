import { fail, ok, type ToolImage, type ToolResult } from "@wink/prompt";
import { describeUnfitImages } from "../runtime/call/unfit-images.js";
import { DEFAULT_CALL_LIMITS } from "../runtime/context/limits.js";
import { cleanText } from "./clean-text.js";
import { isRecord } from "./foreign-tools.js";
import type { Reply } from "./mcp-connection.js";

/**
 * Converts the answer of a foreign tool: its text becomes the message, its structured content the
 * value. Content that a model cannot be shown is named in the text.
 */
export function readForeignAnswer(reply: Reply): ToolResult {
  const texts: string[] = [];
  const images: ToolImage[] = [];
  for (const part of Array.isArray(reply["content"]) ? reply["content"] : []) {
    const read = readPart(part, images.length);
    if (typeof read === "string") texts.push(read);
    else images.push(read);
  }
  const text = texts.join("\n");
  if (reply["isError"] === true) return fail(text || "The tool failed without an error message.");
  const value = isRecord(reply["structuredContent"]) ? reply["structuredContent"] : undefined;
  const message = text || (value === undefined ? "Done." : JSON.stringify(value));
  return ok(value, message, { images });
}

function readPart(part: unknown, imageCount: number): string | ToolImage {
  if (!isRecord(part)) return "[content that cannot be shown]";
  const { type, text, resource, uri } = part;
  if (type === "text" && typeof text === "string") return text;
  if (type === "image") return readImage(part, imageCount);
  if (type === "resource" && isRecord(resource) && typeof resource["text"] === "string")
    return `${name(resource["uri"])}:\n${resource["text"]}`;
  if (type === "resource_link") return `[${name(uri)}]`;
  return `[${name(type)} that cannot be shown]`;
}

function readImage({ data, mimeType }: Reply, imageCount: number): string | ToolImage {
  const image = { mediaType: mimeType, data };
  const isFit =
    imageCount < DEFAULT_CALL_LIMITS.maxImages &&
    describeUnfitImages([image], DEFAULT_CALL_LIMITS) === undefined;
  // `describeUnfitImages` validated the image.
  return isFit ? (image as ToolImage) : "[an image that cannot be shown]";
}

function name(given: unknown): string {
  return cleanText(String(given), 500);
}
