import { useMemo } from "preact/hooks";
import type { RunOverview, TurnRow } from "../../model/run-overview.js";
import { formatCost, formatDuration, formatShort } from "../format/numbers.js";
import type { Selection } from "../list/selection.js";
import { Empty } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { VirtualList } from "../virtual/virtual-list.js";
import { type Chart, usageCharts } from "./usage-charts.js";

/** Tokens, money, calls and time of each turn, with the limits. */
export function UsageTab({ selection }: { readonly selection: Selection }) {
  const overview = useInspector().indexes.value.get(selection.run)?.overview;
  if (overview === undefined || overview.turns.length === 0)
    return <Empty title="No usage">The model has not answered yet.</Empty>;
  return <Usage overview={overview} turn={selection.turn?.index} />;
}

function Usage({
  overview,
  turn,
}: {
  readonly overview: RunOverview;
  readonly turn: number | undefined;
}) {
  const charts = useMemo(() => usageCharts(overview), [overview]);
  return (
    <>
      <div class="charts">
        {charts.map((chart) => (
          <ChartView key={chart.title} chart={chart} selected={turn} />
        ))}
      </div>
      <UsageTable turns={overview.turns} selected={turn} />
    </>
  );
}

const HEIGHT = 90;

function ChartView({
  chart,
  selected,
}: {
  readonly chart: Chart;
  readonly selected: number | undefined;
}) {
  const { title, bars, limit, format, series } = chart;
  const highest = Math.max(
    limit ?? 0,
    ...bars.map(({ values }) => values.reduce((sum, each) => sum + each, 0)),
    1e-9,
  );
  const y = (value: number) => HEIGHT - (value / (highest * 1.05)) * HEIGHT;
  const width = 300 / bars.length;
  const last = bars.at(-1)?.values.reduce((sum, each) => sum + each, 0) ?? 0;
  const text = `${title}: ${format(chart.total ?? last)}${limit === undefined ? "" : ` of ${format(limit)}`}`;
  return (
    <figure class="chart" style={{ margin: 0 }}>
      <figcaption>
        <b>{text}</b>
        <div class="legend dim">
          {series.map(({ name, kind }) => (
            <span key={name}>
              <i class={`fill-${kind}`} />
              {name}{" "}
            </span>
          ))}
          {limit !== undefined && <span class="bad">┄ limit</span>}
        </div>
      </figcaption>
      <svg viewBox={`0 0 300 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text}>
        {bars.map(({ turn, values }, at) => {
          let top = 0;
          return (
            <g key={turn} opacity={selected === undefined || selected === turn ? 1 : 0.6}>
              {values.map((value, index) => {
                top += value;
                return (
                  <rect
                    key={index}
                    class={`fill-${series[index]?.kind}`}
                    x={at * width}
                    width={Math.max(0.5, width - Math.min(2, width * 0.2))}
                    y={y(top)}
                    height={y(top - value) - y(top)}
                  />
                );
              })}
            </g>
          );
        })}
        {limit !== undefined && <line class="limit" x1="0" x2="300" y1={y(limit)} y2={y(limit)} />}
      </svg>
    </figure>
  );
}

const COLUMNS = ["turn", "input", "cached", "output", "cost", "calls", "model", "tools"] as const;

function UsageTable({
  turns,
  selected,
}: {
  readonly turns: readonly TurnRow[];
  readonly selected: number | undefined;
}) {
  return (
    <div role="table" aria-label="Usage of each turn" class="usage-table">
      <div role="row" class="usage-row head">
        {COLUMNS.map((name) => (
          <span key={name} role="columnheader" class="number">
            {name}
          </span>
        ))}
      </div>
      <VirtualList
        class="usage-rows"
        role="rowgroup"
        tabIndex={0}
        count={turns.length}
        rowHeight={24}
        reveal={selected}
        row={(at) => {
          const turn = turns[at];
          return turn && <UsageRow key={at} turn={turn} isSelected={at === selected} />;
        }}
      />
    </div>
  );
}

function UsageRow({ turn, isSelected }: { readonly turn: TurnRow; readonly isSelected: boolean }) {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = turn.usage;
  const { askedAt, answeredAt, endedAt, callCount } = turn;
  const cells = [
    `${turn.index + 1}`,
    formatShort(inputTokens),
    formatShort(cachedInputTokens),
    formatShort(outputTokens),
    costUsd === null ? "–" : formatCost(costUsd),
    `${callCount}`,
    answeredAt === null ? "–" : formatDuration(answeredAt - askedAt),
    endedAt === null || answeredAt === null ? "–" : formatDuration(endedAt - answeredAt),
  ];
  return (
    <div role="row" class={`usage-row ${isSelected ? "selected" : ""}`}>
      {cells.map((cell, index) => (
        <span key={COLUMNS[index]} role="cell" class="number">
          {cell}
        </span>
      ))}
    </div>
  );
}
