import { checkOptions, describeWrong, showValue, suggestName } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import { fieldNames } from "../schema/to-json-schema.js";
import { itemProblem } from "./item-problem.js";
import type { SectionOptions } from "./section.js";
import { compileTemplate, type SectionTemplate } from "./section-template.js";

const KEY = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;
const PREFIX = /^(?:[A-Za-z][A-Za-z0-9_-]{0,31})?$/;

export const SECTION_OPTIONS = [
  ...["key", "title", "params", "defaults", "tools", "children", "enabled", "visibility"],
  ...["summary", "policies", "slices", "acceptsOverrides", "toolPrefix"],
] as const;

/** Validates the options of one section. */
export function checkSectionOptions(options: SectionOptions): void {
  // Subclasses may pass their own options on, so unknown keys are allowed here.
  if (typeof options !== "object" || options === null) checkOptions("section", options, []);
  const subject = `section ${showValue(options.key)}`.replaceAll('"', "'");
  const reason = problemOf(options);
  if (reason !== undefined) throw new PromptError("SECTION_INVALID", subject, reason);

  const known = parametersOf(options.params);
  for (const name of Object.keys(options.defaults ?? {}))
    if (known?.includes(name) === false)
      throw new PromptError(
        "PARAMS_UNKNOWN",
        subject,
        `unknown parameter '${name}' in defaults. ${suggestName(name, known, "Parameters")}`,
      );
}

/** The names of the parameters. `undefined` if the schema does not expose them. */
function parametersOf(params: SectionOptions["params"]): readonly string[] | undefined {
  return params ? fieldNames(params) : [];
}

/** Compiles a text of the section and checks its placeholders against the parameters. */
export function sectionTemplate(
  text: unknown,
  { key, params }: Pick<SectionOptions, "key" | "params">,
  part: "template" | "summary" | "override",
): SectionTemplate {
  const subject = `section '${key}'`;
  if (typeof text !== "string")
    throw new PromptError(
      "SECTION_INVALID",
      subject,
      `${part} must be a string, got ${describeWrong(text)}`,
    );
  const template = compileTemplate(text, subject);
  const known = parametersOf(params);
  const unknown = template.names.filter((name) => known?.includes(name) === false);
  if (unknown.length === 0) return template;
  const placeholders = unknown.map((name) => `\${${name}}`).join(", ");
  const where = part === "template" ? "" : ` in the ${part}`;
  throw new PromptError(
    "PLACEHOLDER_UNKNOWN",
    subject,
    `unknown placeholder ${placeholders}${where}. Parameters: ${known?.join(", ") || "none"}`,
  );
}

function problemOf(options: SectionOptions): string | undefined {
  const { key, title, visibility, summary, toolPrefix = "", params } = options;
  if (typeof key !== "string" || !KEY.test(key))
    return "a key has 1 to 64 lower-case letters, digits, - and _, and starts and ends with a letter or digit";
  if (typeof title !== "string" || title.trim() === "" || /[\r\n]/.test(title))
    return "title must be one line of text";
  if (typeof toolPrefix !== "string" || !PREFIX.test(toolPrefix))
    return "toolPrefix has at most 32 letters, digits, _ and -, and starts with a letter";
  if (visibility !== undefined && visibility !== "full" && summary === undefined)
    return "visibility 'summary' needs a summary. Add one";
  if (params !== undefined && typeof params?.["~standard"]?.validate !== "function")
    return "params is not a Standard Schema. Use a schema of zod or of a similar library";
  for (const name of ["tools", "children", "policies", "slices"] as const) {
    const list: unknown = options[name];
    if (list !== undefined && !Array.isArray(list))
      return `${name} must be an array, got ${describeWrong(list)}`;
  }
  const enabled: unknown = options.enabled;
  if (!["boolean", "function", "undefined"].includes(typeof enabled))
    return `enabled must be true, false or a function, got ${describeWrong(enabled)}`;
  return (
    itemProblem("tools", options.tools ?? []) ?? itemProblem("policies", options.policies ?? [])
  );
}
