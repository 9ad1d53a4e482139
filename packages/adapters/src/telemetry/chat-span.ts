import { type Attributes, type Context, type Span, SpanStatusCode } from "@opentelemetry/api";
import { isModelError } from "../error/model-error.js";
import type { ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";
import type { ClientMetrics } from "./client-metrics.js";

/** The span of one request of the loop. It covers all attempts: a failed one is an event of the span. */
export class ChatSpan {
  readonly request: ModelRequest;
  /** The context with this span. */
  readonly inside: Context;
  readonly #span: Span;
  readonly #facts: Attributes;
  readonly #metrics: ClientMetrics;
  readonly #startedAtMs = Date.now();
  #attempts = 0;
  #lastError = "_OTHER";

  constructor(
    request: ModelRequest,
    options: {
      readonly span: Span;
      readonly inside: Context;
      /** The attributes that the metrics have too. */
      readonly facts: Attributes;
      readonly metrics: ClientMetrics;
    },
  ) {
    this.request = request;
    this.#span = options.span;
    this.inside = options.inside;
    this.#facts = options.facts;
    this.#metrics = options.metrics;
  }

  succeed(turn: ModelTurn, attributes: Attributes): void {
    this.#span.setAttributes(attributes);
    const facts = turn.model === undefined ? {} : { "gen_ai.response.model": turn.model };
    this.#metrics.tokens(turn.usage, { ...this.#facts, ...facts });
    this.#end(facts);
  }

  /** Returns whether the loop may try again with the same request. */
  failAttempt(error: unknown, errorType: string): boolean {
    this.#attempts++;
    this.#lastError = errorType;
    if (!(isModelError(error) && error.retried)) return false;
    const attributes = { "error.type": errorType, "wink.attempt": this.#attempts };
    this.#span.addEvent("wink.attempt_failed", attributes);
    return true;
  }

  /** Ends the span of a request that was not answered. */
  fail(): void {
    const attributes = { "error.type": this.#lastError };
    this.#span.setAttributes(attributes);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#end(attributes);
  }

  #end(facts: Attributes): void {
    this.#metrics.duration(Date.now() - this.#startedAtMs, { ...this.#facts, ...facts });
    this.#span.end();
  }
}
