import { type Attributes, type Context, SpanKind, type Tracer } from "@opentelemetry/api";
import type { RenderedTool } from "@wink/prompt";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";
import type { ModelToolCall } from "../runtime/loop/model-client.js";
import { errorTypeOf, inSpan } from "./in-span.js";
import { type CaptureContent, contentOf } from "./span-content.js";

export interface CallSpanOptions {
  readonly tracer: Tracer;
  readonly captureContent: CaptureContent;
  readonly signal: AbortSignal | undefined;
  readonly parent: Context;
}

/** Runs a tool call in its span. */
export function callSpan(
  call: ModelToolCall,
  tool: RenderedTool | undefined,
  work: () => Promise<ToolOutcome>,
  { tracer, captureContent, signal, parent }: CallSpanOptions,
): Promise<ToolOutcome> {
  // An unknown tool name is text of the model, so it stays out of the span name.
  const name = tool === undefined ? "execute_tool" : `execute_tool ${tool.name}`;
  const attributes: Attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": call.toolCallId,
    ...(tool && { "gen_ai.tool.name": tool.name, "wink.tool.access": tool.access }),
    ...contentOf(captureContent, () => ({ "gen_ai.tool.call.arguments": call.arguments })),
  };
  return inSpan(work, {
    span: tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, parent),
    parent,
    describe: ({ status, rolledBack, text }) => ({
      "wink.tool.status": status,
      "wink.tool.rolled_back": rolledBack,
      ...(status !== "succeeded" && { "error.type": status }),
      ...contentOf(captureContent, () => ({ "gen_ai.tool.call.result": text })),
    }),
    errorType: (error) => errorTypeOf(error, signal),
  });
}
