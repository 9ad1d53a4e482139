import { PromptError } from "../error/prompt-error.js";
import { fieldNames } from "../schema/to-json-schema.js";
import type { SectionOptions } from "./section.js";
import { compileTemplate, type SectionTemplate } from "./section-template.js";

const KEY = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;
const PREFIX = /^(?:[A-Za-z][A-Za-z0-9_-]{0,31})?$/;

export interface CheckedSection {
  readonly summary: SectionTemplate | undefined;
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** Validates the options of one section. */
export function checkSectionOptions(options: SectionOptions): CheckedSection {
  const subject = `section '${options.key}'`;
  const reason = problemOf(options);
  if (reason !== undefined) throw new PromptError("section_invalid", { subject, reason });

  const { params, summary } = options;
  // The type is unknown so that subclasses can infer theirs. A value that is not an object has no
  // keys.
  const defaults = (options.defaults ?? {}) as object;
  const known = params ? fieldNames(params) : [];
  const unknown = Object.keys(defaults).filter((name) => known?.includes(name) === false);
  if (unknown.length > 0)
    throw new PromptError("params_unknown", {
      subject,
      reason: `defaults has ${unknown.join(", ")}, but ${describeParameters(known)}`,
    });
  return {
    summary: summary === undefined ? undefined : sectionTemplate(summary, options, "summary"),
    defaults: Object.freeze({ ...defaults }),
  };
}

/** Compiles a text of the section and checks its placeholders against the parameters. */
export function sectionTemplate(
  text: string,
  { key, params }: Pick<SectionOptions, "key" | "params">,
  part: string,
): SectionTemplate {
  const subject = `the ${part} of section '${key}'`;
  const template = compileTemplate(text, subject);
  const known = params ? fieldNames(params) : [];
  const unknown = template.names.filter((name) => known?.includes(name) === false);
  if (unknown.length > 0) {
    const placeholders = unknown.map((name) => `\${${name}}`).join(", ");
    throw new PromptError("placeholder_unknown", {
      subject,
      reason: `unknown placeholder ${placeholders}; ${describeParameters(known)}`,
    });
  }
  return template;
}

export function describeParameters(known: readonly string[] | undefined): string {
  if (known === undefined || known.length === 0) return "the section takes no parameters";
  return `the section's parameters are: ${known.join(", ")}`;
}

function problemOf(options: SectionOptions): string | undefined {
  const { key, title, visibility, summary, toolPrefix = "", params } = options;
  if (typeof key !== "string" || !KEY.test(key))
    return "a key has 1 to 64 lower-case letters, digits, - and _, and starts and ends with a letter or digit";
  if (typeof title !== "string" || title.trim() === "" || /[\r\n]/.test(title))
    return "a title is one line of text";
  if (!PREFIX.test(toolPrefix))
    return "toolPrefix has at most 32 letters, digits, _ and -, and starts with a letter";
  if (visibility !== undefined && visibility !== "full" && summary === undefined)
    return "a section with visibility 'summary' needs a summary";
  if (params !== undefined && typeof params["~standard"]?.validate !== "function")
    return "params is not a Standard Schema";
  return undefined;
}
