/**
 * Parses a call's arguments to an object, for providers that need one. Arguments that are not a
 * JSON object become `{}`, because that call was already refused.
 */
export function parseCallInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Falls through to `{}`.
  }
  return {};
}
