import type { RenderedTool, ToolContext, ToolResult } from "@wink/prompt";

/** The second part of a call. It has exclusive access to files and session. */
export type LastPart = (context: ToolContext) => Promise<ToolResult>;

/** The first part of a call. It runs concurrently with other calls and may only read the files. */
export type FirstPart = (input: unknown, context: ToolContext) => Promise<LastPart>;

const firstParts = new WeakMap<RenderedTool["handler"], FirstPart>();

/**
 * Makes calls of a writing tool begin with `firstPart`, which runs concurrently with other calls.
 * The function it returns then runs instead of the handler, in the order of the calls.
 */
export function beginWith(handler: RenderedTool["handler"], firstPart: FirstPart): void {
  firstParts.set(handler, firstPart);
}

export function firstPartOf({ handler }: RenderedTool): FirstPart | undefined {
  return firstParts.get(handler);
}
