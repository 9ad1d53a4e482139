import {
  type Attributes,
  context,
  metrics as globalMetrics,
  type Meter,
  SpanKind,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { PromptResponse } from "@wink/prompt";
import { requireOptions } from "../runtime/context/require-options.js";
import type { RunTelemetry } from "../runtime/loop/run-telemetry.js";
import { callSpan } from "./call-span.js";
import { ClientMetrics } from "./client-metrics.js";
import { errorTypeOf, inSpan } from "./in-span.js";
import { RunSpans } from "./run-spans.js";
import type { CaptureContent } from "./span-content.js";

export interface OpenTelemetryOptions {
  /** @default the tracer `@wink/adapters` of the registered provider */
  readonly tracer?: Tracer | undefined;
  /** @default the meter `@wink/adapters` of the registered provider */
  readonly meter?: Meter | undefined;
  /** The name of the model. @default the adapter's, if it knows it */
  readonly model?: string | undefined;
  /**
   * Whether instructions, messages, arguments and results are written to the spans. A function
   * receives each text with the name of its attribute and returns the text to write. @default
   * false
   */
  readonly captureContent?: CaptureContent | undefined;
}

/**
 * Creates spans for runs, turns, model requests and tool calls, with the names of OpenTelemetry's
 * conventions for generative AI: `invoke_agent`, `chat` and `execute_tool`. And the metrics
 * `gen_ai.client.operation.duration` and `gen_ai.client.token.usage`. A request is one span with all its attempts.
 *
 * A run is a child of the active span. So the span of a subagent's run is inside the tool call
 * that started it, provided that a context manager is registered, which every SDK does.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): RunTelemetry {
  requireOptions("openTelemetry", options, ["tracer", "meter", "model", "captureContent"]);
  const { captureContent = false, model } = options;
  const metrics = () =>
    new ClientMetrics(options.meter ?? globalMetrics.getMeter("@wink/adapters"));
  return {
    call(call, tool, work, signal) {
      const tracer = options.tracer ?? trace.getTracer("@wink/adapters");
      return callSpan(call, tool, work, {
        tracer,
        captureContent,
        signal,
        parent: context.active(),
      });
    },
    run({ adapter, prompt, session, signal }, work) {
      const tracer = options.tracer ?? trace.getTracer("@wink/adapters");
      const parent = context.active();
      const attributes: Attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": adapter,
        "gen_ai.agent.name": `${prompt.ns}/${prompt.key}`,
        "gen_ai.conversation.id": session.id,
        ...(model !== undefined && { "gen_ai.request.model": model }),
      };
      const name = `invoke_agent ${prompt.ns}/${prompt.key}`;
      const watch = { tracer, captureContent, model, signal, metrics: metrics() };
      return inSpan((run) => work(new RunSpans({ ...watch, run })), {
        span: tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, parent),
        parent,
        describe: describeRun,
        errorType: (error) => errorTypeOf(error, signal),
      });
    },
  };
}

function describeRun({ finishReason, usage }: PromptResponse): Attributes {
  return {
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cachedInputTokens,
    ...(usage.costUsd !== undefined && { "wink.usage.cost_usd": usage.costUsd }),
    "wink.run.finish_reason": finishReason,
    "wink.run.turns": usage.turns,
    "wink.run.tool_calls": usage.toolCalls,
  };
}
