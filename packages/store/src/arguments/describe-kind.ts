/** `a string`, `an array`, `null` …: what a value is, for a message. */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Number.isNaN(value)) return "NaN";
  if (Array.isArray(value)) return "an array";
  const kind = typeof value;
  return `${kind === "object" ? "an" : "a"} ${kind}`;
}
