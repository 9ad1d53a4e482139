/**
 * The arguments of a call as an object, for providers that want them back like that.
 * What is no JSON object was refused as a call already, and comes back empty.
 */
export function parseCallInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // As below.
  }
  return {};
}
