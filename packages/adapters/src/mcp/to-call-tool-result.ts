import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { imagesOf } from "../interop/result-images.js";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";

/** How a call ended, as `tools/call` answers it: text, pictures, and the value where it is an object. */
export function toCallToolResult({ text, result }: ToolOutcome): CallToolResult {
  const content: CallToolResult["content"] = [
    { type: "text", text },
    ...imagesOf(result).map(({ data, mediaType }) => ({
      ...{ type: "image" as const, data, mimeType: mediaType },
    })),
  ];
  if (!result.success) return { content, isError: true };
  const structuredContent = toJsonObject(result.value);
  return structuredContent === undefined ? { content } : { content, structuredContent };
}

/** What JSON makes of the value: a client holds that against the schema, and not the value. */
function toJsonObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  try {
    const plain: unknown = JSON.parse(JSON.stringify(value));
    // What toJSON made of it may be anything.
    return typeof plain === "object" && plain !== null && !Array.isArray(plain)
      ? (plain as Record<string, unknown>)
      : undefined;
  } catch {
    // A tool that renders its value may answer with what JSON cannot hold; the text says it.
    return undefined;
  }
}
