import { PromptError } from "../error/prompt-error.js";
import { jsonSchema } from "../schema/json-schema.js";
import { checkNow, describeIssue } from "../schema/schema.js";
import type { PromptOverrides } from "../template/prompt-overrides.js";

/** The format version that this code reads and writes. */
const VERSION = 1;

const text = { type: "string" };
const closed = (properties: Readonly<Record<string, object>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const FILE = jsonSchema<PromptOverrides>(
  closed({
    version: { const: VERSION },
    ns: text,
    key: text,
    sections: { type: "array", items: closed({ path: text, hash: text, text }) },
    tools: { type: "array", items: closed({ name: text, hash: text, description: text }) },
  }),
);

/** Serialises overrides as JSON that people can edit and diff. */
export function writeOverrides({ ns, key, sections, tools }: PromptOverrides): string {
  return `${JSON.stringify({ version: VERSION, ns, key, sections, tools }, undefined, 2)}\n`;
}

/** Parses the output of {@link writeOverrides}. `file` is for error messages. */
export function parseOverrides(bytes: Uint8Array | string, file: string): PromptOverrides {
  let data: unknown;
  try {
    const source =
      typeof bytes === "string" ? bytes : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    data = JSON.parse(source);
  } catch (cause) {
    throw invalidFile(file, "it is not JSON", cause);
  }
  const checked = checkNow(FILE, data);
  const issue = checked?.issues?.[0];
  if (checked === undefined || checked.issues)
    throw invalidFile(file, issue ? describeIssue(issue, data) : "it is not an override file");
  const { ns, key, sections, tools } = checked.value;
  const twice =
    repeated(sections.map(({ path }) => path)) ?? repeated(tools.map(({ name }) => name));
  if (twice !== undefined) throw invalidFile(file, `'${twice}' is there twice. Remove one`);
  return Object.freeze({ ns, key, sections, tools });
}

export function invalidFile(file: string, reason: string, cause?: unknown): PromptError {
  return new PromptError("OVERRIDE_FILE_INVALID", `override file '${file}'`, reason, cause);
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
