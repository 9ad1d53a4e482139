import type { RenderedTool, ToolContext, ToolResult } from "@wink/prompt";

/** The rest of a call, which has files and session to itself. */
export type LastPart = (context: ToolContext) => Promise<ToolResult>;

/** What a call does beside others, with files that it may only read. */
export type FirstPart = (input: unknown, context: ToolContext) => Promise<LastPart>;

const firstParts = new WeakMap<RenderedTool["handler"], FirstPart>();

/**
 * Has the calls of a tool that writes begin with `firstPart`, which overlaps with other
 * calls. What it answers with then runs in place of the handler, in the order of the calls.
 */
export function beginWith(handler: RenderedTool["handler"], firstPart: FirstPart): void {
  firstParts.set(handler, firstPart);
}

export function firstPartOf({ handler }: RenderedTool): FirstPart | undefined {
  return firstParts.get(handler);
}
