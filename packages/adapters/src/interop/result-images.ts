import type { ToolImage, ToolResult } from "@wink/prompt";

export function imagesOf(result: ToolResult): readonly ToolImage[] {
  return result.success ? (result.images ?? []) : [];
}
