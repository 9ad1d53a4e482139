/** Reads one header, for any representation of headers. */
export type ReadHeader = (name: string) => string | undefined;

/** The delay that the provider requested, in milliseconds; `undefined` if it requested none. */
export function retryHintMs(header: ReadHeader, nowMs: number = Date.now()): number | undefined {
  return (
    milliseconds(Number.parseFloat(header("retry-after-ms") ?? "")) ??
    fromRetryAfter(header("retry-after"), nowMs) ??
    fromResets(header, nowMs)
  );
}

/** Parses seconds or a date. */
function fromRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  return /^\s*[\d.]+\s*$/.test(value)
    ? milliseconds(Number.parseFloat(value) * 1000)
    : milliseconds(Date.parse(value) - nowMs);
}

const LIMITS = ["requests", "tokens", "input-tokens", "output-tokens"];

/** The latest reset time among the limits that are used up. */
function fromResets(header: ReadHeader, nowMs: number): number | undefined {
  const waits = LIMITS.flatMap((limit) => [
    header(`x-ratelimit-remaining-${limit}`) === "0"
      ? fromDuration(header(`x-ratelimit-reset-${limit}`))
      : undefined,
    header(`anthropic-ratelimit-${limit}-remaining`) === "0"
      ? milliseconds(Date.parse(header(`anthropic-ratelimit-${limit}-reset`) ?? "") - nowMs)
      : undefined,
  ]).filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const MAX_DURATION_CHARACTERS = 100;

/** Parses durations such as `6m0s`, `1.5s` and `20ms`. */
function fromDuration(value = ""): number | undefined {
  if (value.length > MAX_DURATION_CHARACTERS) return undefined;
  if (!/^(?:[\d.]+(?:ms|s|m|h))+$/.test(value)) return undefined;
  const parts = value.matchAll(/([\d.]+)(ms|s|m|h)/g);
  let sum = 0;
  for (const [, amount = "", unit = ""] of parts)
    sum += Number.parseFloat(amount) * (UNIT_MS[unit] ?? 0);
  return milliseconds(sum);
}

function milliseconds(value: number): number | undefined {
  return Number.isFinite(value) ? Math.max(0, Math.ceil(value)) : undefined;
}
