/** Texts for numbers, with a fixed width where rows are compared. */

const THOUSANDS = new Intl.NumberFormat("en-US");

export function formatCount(count: number): string {
  return THOUSANDS.format(count);
}

/** `812`, `4.8k`, `41k`, `1.2M`. */
export function formatShort(count: number): string {
  for (const [size, unit] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const)
    if (count >= size) return `${trim(count / size)}${unit}`;
  return `${Math.round(count * 10) / 10}`;
}

function trim(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, "") : `${Math.round(value)}`;
}

/** `0.4 ms`, `27 ms`, `1.9 s`, `2:10`, `1:02:03`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs)) return "–";
  if (durationMs < 9.95) return `${durationMs.toFixed(1)} ms`;
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${seconds % 60}`.padStart(2, "0");
  return hours > 0 ? `${hours}:${`${minutes}`.padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} B`;
  for (const [size, unit] of [
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ] as const)
    if (sizeBytes >= size * 0.9995) return `${trim(sizeBytes / size)} ${unit}`;
  return `${sizeBytes} B`;
}

export function formatCost(costUsd: number): string {
  if (costUsd === 0) return "$0";
  return costUsd < 0.01 ? `$${costUsd.toFixed(4)}` : `$${costUsd.toFixed(2)}`;
}

/** `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** A moment in the reader's time zone. */
export function formatTime(at: number | string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "–" : TIME.format(date);
}
