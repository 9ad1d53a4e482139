import type { RunOverview, TurnRow } from "../../model/run-overview.js";
import { formatCost, formatDuration, formatShort } from "../format/numbers.js";

export interface Chart {
  readonly title: string;
  readonly series: readonly { readonly name: string; readonly kind: string }[];
  readonly bars: readonly { readonly turn: number; readonly values: readonly number[] }[];
  /** @default no limit */
  readonly limit?: number | undefined;
  /** The number in the title. @default the last bar */
  readonly total?: number | undefined;
  readonly format: (value: number) => string;
}

const MAX_BARS = 150;

/** The charts of a run. The first and the last show single turns. The others add up all turns so far, up to the limit. */
export function usageCharts({ turns, evaluations }: RunOverview): readonly Chart[] {
  const step = Math.max(1, Math.ceil(turns.length / MAX_BARS));
  const shown = turns.filter((_, index) => index % step === 0 || index === turns.length - 1);
  const bars = (values: (turn: TurnRow) => readonly number[]) =>
    shown.map((turn) => ({ turn: turn.index, values: values(turn) }));
  const { limits } = evaluations.at(-1) ?? {};
  const { tokens, costUsd, toolCalls } = limits?.budget ?? {};
  const last = turns.at(-1);
  const modelMs = (turn: TurnRow) => Math.max(0, (turn.answeredAt ?? turn.askedAt) - turn.askedAt);
  const toolMs = (turn: TurnRow) =>
    Math.max(0, (turn.endedAt ?? turn.answeredAt ?? 0) - (turn.answeredAt ?? turn.endedAt ?? 0));
  const charts: Chart[] = [
    {
      title: "Context per turn",
      series: [
        { name: "cached", kind: "cached" },
        { name: "new input", kind: "input" },
        { name: "output", kind: "output" },
      ],
      bars: bars(({ usage: { cachedInputTokens, inputTokens, outputTokens } }) => [
        cachedInputTokens,
        Math.max(0, inputTokens - cachedInputTokens),
        outputTokens,
      ]),
      format: (value) => `${formatShort(value)} tokens`,
    },
    {
      title: "All tokens",
      series: [{ name: "total", kind: "model" }],
      bars: bars(({ total }) => [total.inputTokens + total.outputTokens]),
      limit: tokens,
      format: formatShort,
    },
    {
      title: "Tool calls",
      series: [{ name: "total", kind: "tool" }],
      bars: bars(({ totalCalls }) => [totalCalls]),
      limit: toolCalls,
      format: (value) => `${value}`,
    },
    {
      title: "Time per turn",
      series: [
        { name: "model", kind: "model" },
        { name: "tools", kind: "tool" },
      ],
      bars: bars((turn) => [modelMs(turn), toolMs(turn)]),
      total: turns.reduce((sum, turn) => sum + modelMs(turn) + toolMs(turn), 0),
      format: formatDuration,
    },
  ];
  if (last?.total.costUsd != null)
    charts.splice(2, 0, {
      ...{ title: "Cost", series: [{ name: "total", kind: "output" }], limit: costUsd },
      bars: bars(({ total }) => [total.costUsd ?? 0]),
      format: formatCost,
    });
  return charts;
}
