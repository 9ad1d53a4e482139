import type { AgentLoopStatus } from "../worker/agent-loop.js";
import type { AgentLoopEvent } from "../worker/agent-loop-options.js";
import type { RequestCounts } from "../worker/request-queue.js";

/** Counts the events of loops. */
export class LoopMetrics {
  readonly #counts = new Map<string, number>();

  count(loop: string, { type }: AgentLoopEvent): void {
    const key = labels({ loop, event: type });
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** In the text format of Prometheus. */
  text(
    loops: Readonly<Record<string, AgentLoopStatus>>,
    queues: ReadonlyMap<string, RequestCounts>,
  ): string {
    const running = Object.entries(loops).map(
      ([loop, status]) => [labels({ loop }), status.running.length] as const,
    );
    const waiting = [...queues].flatMap(([loop, counts]) =>
      Object.entries(counts).map(([state, count]) => [labels({ loop, state }), count] as const),
    );
    return [
      ...lines("wink_requests_total", "counter", [...this.#counts]),
      ...lines("wink_requests_running", "gauge", running),
      ...lines("wink_queue_requests", "gauge", waiting),
      "",
    ].join("\n");
  }
}

function lines(
  name: string,
  type: "counter" | "gauge",
  values: readonly (readonly [string, number])[],
): readonly string[] {
  return [`# TYPE ${name} ${type}`, ...values.map(([label, value]) => `${name}${label} ${value}`)];
}

function labels(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(",")}}`;
}
