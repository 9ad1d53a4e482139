import {
  type Attributes,
  type Context,
  context,
  SpanKind,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { abortable } from "@wink/filesystem/internal";
import type { RenderedTool } from "@wink/prompt";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";
import type {
  AskOptions,
  ModelClient,
  ModelRequest,
  ModelToolCall,
  ModelTurn,
} from "../runtime/loop/model-client.js";
import type { RunWatch } from "../runtime/loop/run-telemetry.js";
import { callSpan } from "./call-span.js";
import { ChatSpan } from "./chat-span.js";
import type { ClientMetrics } from "./client-metrics.js";
import { errorTypeOf, inSpan } from "./in-span.js";
import { type CaptureContent, contentOf, requestContent, turnContent } from "./span-content.js";

export interface RunSpansOptions {
  readonly tracer: Tracer;
  readonly captureContent: CaptureContent;
  readonly model: string | undefined;
  readonly metrics: ClientMetrics;
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
  /** Requests that failed in a way that the loop may retry. */
  readonly #unanswered = new Set<ChatSpan>();

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
        return work().finally(() => this.#endUnanswered());
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
    let chat: ChatSpan | undefined;
    return {
      ...{ name: client.name, provider: client.provider, model: client.model },
      contextWindowTokens: client.contextWindowTokens,
      ask: (request, options) => {
        // The loop repeats a failed request with the same client.
        chat = chat?.request === request ? chat : this.#startChat(client, request);
        return this.#ask(client, chat, options);
      },
    };
  }

  call(
    call: ModelToolCall,
    tool: RenderedTool | undefined,
    work: () => Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    const { captureContent, tracer, signal } = this.#options;
    return callSpan(call, tool, work, { tracer, captureContent, signal, parent: this.#turn });
  }

  #startChat(client: ModelClient, request: ModelRequest): ChatSpan {
    const { captureContent, tracer, metrics, run } = this.#options;
    const { model = client.model } = this.#options;
    const facts: Attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": client.provider ?? client.name,
      ...(model !== undefined && { "gen_ai.request.model": model }),
    };
    trace.getSpan(run)?.setAttributes({ ...facts, "gen_ai.operation.name": "invoke_agent" });
    const { temperature, maxOutputTokens } = request.settings ?? {};
    const attributes: Attributes = {
      ...facts,
      "gen_ai.output.type": request.outputSchema === null ? "text" : "json",
      "gen_ai.request.stream": true,
      ...(temperature !== undefined && { "gen_ai.request.temperature": temperature }),
      ...(maxOutputTokens !== undefined && { "gen_ai.request.max_tokens": maxOutputTokens }),
      ...contentOf(captureContent, () => requestContent(request)),
    };
    const name = model === undefined ? "chat" : `chat ${model}`;
    const parent = this.#turn;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    return new ChatSpan(request, { span, inside: trace.setSpan(parent, span), facts, metrics });
  }

  async #ask(client: ModelClient, chat: ChatSpan, options: AskOptions): Promise<ModelTurn> {
    this.#unanswered.delete(chat);
    try {
      // A client may ignore its signal. The span must end anyway.
      const turn = await context.with(chat.inside, () =>
        abortable(client.ask(chat.request, options), options.signal),
      );
      chat.succeed(turn, describeTurn(turn, this.#options.captureContent));
      return turn;
    } catch (error) {
      if (chat.failAttempt(error, errorTypeOf(error, options.signal))) this.#unanswered.add(chat);
      else chat.fail();
      throw error;
    }
  }

  #endUnanswered(): void {
    for (const chat of this.#unanswered) chat.fail();
    this.#unanswered.clear();
  }
}

function describeTurn(turn: ModelTurn, captureContent: CaptureContent): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, costUsd } = turn.usage;
  const { cacheWriteTokens, reasoningTokens } = turn.usage;
  const made = turn.toolCalls.length > 0 && turn.stopReason === "end";
  const finishReason = made ? "tool_calls" : FINISH_REASONS[turn.stopReason];
  const known: Attributes = {
    "gen_ai.response.id": turn.responseId,
    "gen_ai.response.model": turn.model,
    "gen_ai.response.finish_reasons": [finishReason],
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": cachedInputTokens,
    "gen_ai.usage.cache_creation.input_tokens": cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": reasoningTokens,
    "wink.usage.cost_usd": costUsd,
  };
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    ...contentOf(captureContent, () => turnContent(turn, finishReason)),
  };
}
