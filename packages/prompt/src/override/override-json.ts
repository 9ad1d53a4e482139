import { checkJson } from "../schema/check-json.js";
import type { PromptOverrides } from "../template/prompt-overrides.js";
import { OverrideStoreError } from "./override-store-error.js";

/** The format version that this code reads and writes. */
const VERSION = 1;

const text = { type: "string" };

const FILE_SCHEMA = {
  type: "object",
  properties: {
    version: { const: VERSION },
    ns: text,
    key: text,
    sections: {
      type: "array",
      items: {
        type: "object",
        properties: { path: text, hash: text, text },
        required: ["path", "hash", "text"],
        additionalProperties: false,
      },
    },
    tools: {
      type: "array",
      items: {
        type: "object",
        properties: { name: text, hash: text, description: text },
        required: ["name", "hash", "description"],
        additionalProperties: false,
      },
    },
  },
  required: ["version", "ns", "key", "sections", "tools"],
  additionalProperties: false,
};

/** Serialises overrides as JSON that people can edit and diff. */
export function writeOverrides({ ns, key, sections, tools }: PromptOverrides): string {
  return `${JSON.stringify({ version: VERSION, ns, key, sections, tools }, undefined, 2)}\n`;
}

/** Parses the output of {@link writeOverrides}. `file` is for error messages. */
export function parseOverrides(source: string, file: string): PromptOverrides {
  const data = parseJson(source, file);
  const [issue] = checkJson(FILE_SCHEMA, data);
  if (issue !== undefined) {
    const place = issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
    throw new OverrideStoreError("bad_shape", { file, reason: `${issue.message}${place}` });
  }
  // The schema check above guarantees this type.
  const { ns, key, sections, tools } = data as PromptOverrides;
  const twice =
    repeated(sections.map(({ path }) => path)) ?? repeated(tools.map(({ name }) => name));
  if (twice !== undefined)
    throw new OverrideStoreError("bad_shape", { file, reason: `'${twice}' is there twice` });
  return Object.freeze({ ns, key, sections, tools });
}

function parseJson(source: string, file: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw new OverrideStoreError("bad_json", { file, cause });
  }
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
