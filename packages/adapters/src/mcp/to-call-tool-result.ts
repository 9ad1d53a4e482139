import type { CallToolResult } from "@modelcontextprotocol/server";
import { imagesOf } from "../interop/result-images.js";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";

/**
 * Converts an outcome to the result of `tools/call`: always text and images. The value is added only if the tool has an
 * output schema, because several clients then show the model the value instead of the text.
 */
export function toCallToolResult(
  { text, result }: ToolOutcome,
  { structured }: { readonly structured: boolean },
): CallToolResult {
  const content: CallToolResult["content"] = [
    { type: "text", text },
    ...imagesOf(result).map(({ data, mediaType }) => ({
      ...{ type: "image" as const, data, mimeType: mediaType },
    })),
  ];
  if (!result.success) return { content, isError: true };
  const structuredContent = structured ? toJsonObject(result.value) : undefined;
  return structuredContent === undefined ? { content } : { content, structuredContent };
}

/**
 * Converts the value to JSON and back, because clients validate the JSON form against the schema.
 */
function toJsonObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  try {
    const plain: unknown = JSON.parse(JSON.stringify(value));
    // `toJSON` may return anything.
    return typeof plain === "object" && plain !== null && !Array.isArray(plain)
      ? (plain as Record<string, unknown>)
      : undefined;
  } catch {
    // A tool with its own `render` may return a value that is not valid JSON. The text describes
    // it.
    return undefined;
  }
}
