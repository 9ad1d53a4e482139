import { isDeepStrictEqual } from "node:util";
import { closestName } from "@wink/filesystem/internal";
import type { Schema } from "@wink/prompt";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

/** Parses `name=value` arguments. The last value of a name wins. */
function splitParams(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf("=");
      if (at > 0) return [each.slice(0, at), each.slice(at + 1)];
      throw usage(`--param takes name=value, not '${each}'.`);
    }),
  );
}

/**
 * Validates parameters with the agent's schema, first as strings. Values that are not valid as
 * strings are parsed as JSON, so that `--param limit=3` can be a number. Unknown parameters are
 * refused.
 */
export async function readParams(
  schema: Schema<unknown, unknown> | undefined,
  given: readonly string[],
): Promise<unknown> {
  const texts = splitParams(given);
  const [first] = Object.keys(texts);
  if (schema === undefined && first !== undefined)
    throw usage(
      `The agent takes no parameters, but ${first} was given.`,
      "Declare params in defineAgent.",
    );
  if (schema === undefined) return {};
  const value = await readFitting(schema, texts);
  await requireEffect(schema, texts, value);
  return value;
}

type Texts = Readonly<Record<string, string>>;

async function readFitting(schema: Schema<unknown, unknown>, texts: Texts): Promise<unknown> {
  const asTexts = await schema["~standard"].validate(texts);
  if (asTexts.issues === undefined) return asTexts.value;
  const unfit = new Set(asTexts.issues.map((issue) => pathOf(issue)[0]));
  const read = Object.entries(texts).map(([name, text]) => [
    name,
    unfit.has(name) ? parseJson(text) : text,
  ]);
  const asValues = await schema["~standard"].validate(Object.fromEntries(read));
  if (asValues.issues === undefined) return asValues.value;
  const [issue] = asValues.issues;
  const name = issue === undefined ? "" : pathOf(issue).join(".");
  const meant = name in texts ? undefined : closestName(name, Object.keys(texts));
  throw usage(
    `Parameter ${name} is invalid: ${issue?.message}.`,
    meant === undefined
      ? "Give it as --param name=value."
      : `You gave --param ${meant}. Did you mean ${name}?`,
  );
}

/** Most schemas drop unknown fields, so a misspelt name would silently do nothing. */
async function requireEffect(
  schema: Schema<unknown, unknown>,
  texts: Texts,
  value: unknown,
): Promise<void> {
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(texts).filter((each) => !(each in value))) {
    const { [name]: _, ...others } = texts;
    const without = await readFitting(schema, others).catch(() => undefined);
    if (!isDeepStrictEqual(without, value)) continue;
    const known = Object.keys(value);
    const closest = closestName(name, known);
    throw usage(
      `The agent takes no parameter ${name}.`,
      closest === undefined ? `Parameters: ${known.join(", ")}.` : `Did you mean ${closest}?`,
    );
  }
}

function usage(message: string, hint?: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}

type Issue = NonNullable<
  Awaited<ReturnType<Schema<unknown, unknown>["~standard"]["validate"]>>["issues"]
>[number];

function pathOf({ path = [] }: Issue): readonly string[] {
  return path.map((part) => String(typeof part === "object" ? part.key : part));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
