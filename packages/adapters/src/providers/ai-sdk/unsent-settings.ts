import type { ModelSettings } from "@wink/prompt";

/**
 * Warnings about settings that the provider's package did not put into its request. Packages warn about the options of
 * the specification, but ignore an option of a provider that they do not know.
 */
export function unsentSettings(
  { effort, serviceTier }: ModelSettings = {},
  body: unknown,
): readonly string[] {
  const json = typeof body === "string" ? body : JSON.stringify(body);
  if (json === undefined) return [];
  return Object.entries({ effort, serviceTier })
    .filter(([, value]) => value !== undefined && !json.includes(JSON.stringify(value)))
    .map(([name, value]) => `unsupported: ${name} (the package did not send "${value}")`);
}
