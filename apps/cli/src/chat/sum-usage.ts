import type { RunUsage } from "@wink/prompt";

/** The usage of two evaluations together. An amount is unknown if it is unknown in both. */
export function sumUsage(first: RunUsage, second: RunUsage): RunUsage {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  const sums = [...names].map((name) => {
    // Each field of a usage is an amount or unknown.
    const a = first[name as keyof RunUsage];
    const b = second[name as keyof RunUsage];
    return [name, a === undefined ? b : a + (b ?? 0)];
  });
  return Object.fromEntries(sums) as RunUsage;
}
