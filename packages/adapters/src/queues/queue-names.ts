import { invalid } from "../runtime/context/require-options.js";

/** Refuses names that cannot be part of a statement or a notification. */
export function checkQueueNames({
  name,
  ...identifiers
}: Readonly<Record<string, string>> & { readonly name: string }): void {
  if (typeof name !== "string" || !/^[\w.-]{1,100}$/.test(name))
    throw invalid("name", "use 1 to 100 letters, digits, '.', '_' and '-'.");
  for (const [option, value] of Object.entries(identifiers))
    if (typeof value !== "string" || !/^[a-z_][a-z0-9_]{0,40}$/.test(value))
      throw invalid(option, "use lower case letters, digits and '_', and begin with a letter.");
}
