import type { ToolImage, ToolResult } from "@wink/prompt";

/** The pictures of a result; none when it has none. */
export function imagesOf(result: ToolResult): readonly ToolImage[] {
  return result.success ? (result.images ?? []) : [];
}
