import type { ToolImage, ToolResult } from "@wink/prompt";

/** Returns the images of a result, or an empty array. */
export function imagesOf(result: ToolResult): readonly ToolImage[] {
  return result.success ? (result.images ?? []) : [];
}
