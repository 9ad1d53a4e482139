import type { Schema } from "@wink/prompt";
import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";

/** `name=value` of the command line as a record; the last one of a name counts. */
export function splitParams(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf("=");
      if (at > 0) return [each.slice(0, at), each.slice(at + 1)];
      throw new CliError(`--param takes name=value, not '${each}'.`, {
        exitCode: EXIT_CODES.usage,
      });
    }),
  );
}

/**
 * Checks parameters by the agent's schema: as the texts they are, or else with those that are JSON read as such, so that
 * `--param limit=3` fits a number.
 */
export async function readParams(
  schema: Schema<unknown, unknown> | undefined,
  given: readonly string[],
): Promise<unknown> {
  const texts = splitParams(given);
  if (schema === undefined) return texts;
  const asTexts = await schema["~standard"].validate(texts);
  if (asTexts.issues === undefined) return asTexts.value;
  const asValues = await schema["~standard"].validate(mapValues(texts, parseJson));
  if (asValues.issues === undefined) return asValues.value;
  const [issue] = asTexts.issues;
  const name = issue?.path?.map((part) => String(typeof part === "object" ? part.key : part));
  throw new CliError(`Parameter ${name?.join(".") ?? ""} does not fit: ${issue?.message}.`, {
    exitCode: EXIT_CODES.usage,
    hint: "Give it as --param name=value.",
  });
}

function mapValues(
  record: Readonly<Record<string, string>>,
  transform: (text: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).map(([name, text]) => [name, transform(text)]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
