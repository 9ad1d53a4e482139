import type { Attributes, Histogram, Meter } from "@opentelemetry/api";
import type { ModelUsage } from "../runtime/loop/model-client.js";

/** The bounds that the conventions give. */
const DURATIONS_S = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** The metrics of requests to a model. */
export class ClientMetrics {
  readonly #duration: Histogram;
  readonly #tokens: Histogram;

  constructor(meter: Meter) {
    this.#duration = meter.createHistogram("gen_ai.client.operation.duration", {
      ...{ unit: "s", description: "How long a request to a model took, with its retries." },
      advice: { explicitBucketBoundaries: DURATIONS_S },
    });
    this.#tokens = meter.createHistogram("gen_ai.client.token.usage", {
      ...{ unit: "{token}", description: "The tokens of a request to a model." },
      advice: { explicitBucketBoundaries: TOKENS },
    });
  }

  duration(durationMs: number, attributes: Attributes): void {
    this.#duration.record(durationMs / 1_000, attributes);
  }

  tokens({ inputTokens, outputTokens }: ModelUsage, attributes: Attributes): void {
    this.#tokens.record(inputTokens, { ...attributes, "gen_ai.token.type": "input" });
    this.#tokens.record(outputTokens, { ...attributes, "gen_ai.token.type": "output" });
  }
}
