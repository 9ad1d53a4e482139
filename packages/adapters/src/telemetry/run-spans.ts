import { type Attributes, type Context, SpanKind, type Tracer } from "@opentelemetry/api";
import type { RenderedTool } from "@wink/prompt";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";
import { abortable } from "../runtime/context/abortable.js";
import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelToolCall,
  ModelTurn,
} from "../runtime/loop/model-client.js";
import type { RunWatch } from "../runtime/loop/run-telemetry.js";
import { errorTypeOf, inSpan } from "./in-span.js";
import { type CaptureContent, contentOf, requestContent, turnContent } from "./span-content.js";

export interface RunSpansOptions {
  readonly tracer: Tracer;
  readonly captureContent: CaptureContent;
  readonly model: string | undefined;
  /** The context with the span of the run. */
  readonly run: Context;
  /** The signal of the run. */
  readonly signal: AbortSignal | undefined;
}

const FINISH_REASONS = {
  end: "stop",
  length: "length",
  refused: "content_filter",
  paused: "pause",
} as const;

/** Creates the spans inside one run. */
export class RunSpans implements RunWatch {
  readonly #options: RunSpansOptions;
  /** The context with the span of the current turn. Turns do not overlap. */
  #turn: Context;

  constructor(options: RunSpansOptions) {
    this.#options = options;
    this.#turn = options.run;
  }

  turn<T>(turn: number, work: () => Promise<T>): Promise<T> {
    const parent = this.#options.run;
    const attributes = { "wink.turn": turn };
    return inSpan(
      (inside) => {
        this.#turn = inside;
        return work();
      },
      {
        span: this.#options.tracer.startSpan("turn", { attributes }, parent),
        parent,
        describe: () => ({}),
        errorType: (error) => errorTypeOf(error, this.#options.signal),
      },
    );
  }

  client(client: ModelClient): ModelClient {
    return {
      name: client.name,
      ask: (request, options) => this.#ask(client, request, options),
    };
  }

  call(
    call: ModelToolCall,
    tool: RenderedTool | undefined,
    work: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    const { captureContent, tracer } = this.#options;
    const parent = this.#turn;
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
      errorType: (error) => errorTypeOf(error, this.#options.signal),
    });
  }

  #ask(client: ModelClient, request: ModelRequest, options: AskOptions): Promise<ModelTurn> {
    const { captureContent, tracer, model } = this.#options;
    const parent = this.#turn;
    const attributes: Attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": client.name,
      "gen_ai.output.type": request.outputSchema === null ? "text" : "json",
      ...(model !== undefined && { "gen_ai.request.model": model }),
      ...contentOf(captureContent, () => requestContent(request)),
    };
    const name = model === undefined ? "chat" : `chat ${model}`;
    // A client may ignore its signal. The span must end anyway.
    const ask = () => abortable(client.ask(request, options), options.signal);
    return inSpan(ask, {
      span: tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent),
      parent,
      describe: (turn) => describeTurn(turn, captureContent),
      errorType: (error) => errorTypeOf(error, options.signal),
    });
  }
}

function describeTurn(turn: ModelTurn, captureContent: CaptureContent): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, costUsd } = turn.usage;
  const made = turn.toolCalls.length > 0 && turn.stopReason === "end";
  const finishReason = made ? "tool_calls" : FINISH_REASONS[turn.stopReason];
  return {
    "gen_ai.response.finish_reasons": [finishReason],
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(cachedInputTokens !== undefined && {
      "gen_ai.usage.cache_read.input_tokens": cachedInputTokens,
    }),
    ...(costUsd !== undefined && { "wink.usage.cost_usd": costUsd }),
    ...contentOf(captureContent, () => turnContent(turn, finishReason)),
  };
}
