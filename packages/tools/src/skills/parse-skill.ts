import { parseDocument } from "yaml";

/** What a `SKILL.md` says about its skill. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly compatibility: string | undefined;
  readonly instructions: string;
}

/** The limits of the format. */
const MAX_NAME_CHARACTERS = 64;
const MAX_DESCRIPTION_CHARACTERS = 1_024;
const MAX_COMPATIBILITY_CHARACTERS = 500;

/** Front matter is small. Parsing a larger one could take long. */
const MAX_FRONT_MATTER_CHARACTERS = 16 * 1024;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Reads a `SKILL.md`. Returns the problem as a string if it does not follow the format. */
export function parseSkill(text: string): SkillText | string {
  const parts = splitFrontMatter(text.replace(/^\uFEFF/, ""));
  if (typeof parts === "string") return parts;
  const fields = fieldsOf(parts.frontMatter);
  if (typeof fields === "string") return fields;
  const { name, description, compatibility } = fields;
  const problem =
    textProblem("name", name, MAX_NAME_CHARACTERS) ??
    textProblem("description", description, MAX_DESCRIPTION_CHARACTERS) ??
    (compatibility === undefined
      ? undefined
      : textProblem("compatibility", compatibility, MAX_COMPATIBILITY_CHARACTERS));
  if (problem !== undefined) return problem;
  // `textProblem` has checked that they are strings.
  const known = { name: name as string, description: (description as string).trim() };
  if (!NAME.test(known.name))
    return "its name may have only lower-case letters, digits and single hyphens between them";
  return {
    ...known,
    compatibility: compatibility as string | undefined,
    instructions: parts.body.trim(),
  };
}

interface Parts {
  readonly frontMatter: string;
  readonly body: string;
}

function splitFrontMatter(text: string): Parts | string {
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== "---") return "SKILL.md does not start with front matter (---)";
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) return "the front matter of SKILL.md has no end (---)";
  const frontMatter = lines.slice(1, end).join("\n");
  if (frontMatter.length > MAX_FRONT_MATTER_CHARACTERS)
    return `the front matter of SKILL.md is longer than ${MAX_FRONT_MATTER_CHARACTERS} characters`;
  return { frontMatter, body: lines.slice(end + 1).join("\n") };
}

/**
 * Many skills have a colon in an unquoted description, which is not YAML. The guide of the format recommends to quote such
 * values: https://agentskills.io/client-implementation/adding-skills-support
 */
function fieldsOf(frontMatter: string): Readonly<Record<string, unknown>> | string {
  const fields = parseFields(frontMatter);
  if (typeof fields !== "string") return fields;
  const quoted = parseFields(frontMatter.replace(UNQUOTED, quoteValue));
  return typeof quoted === "string" ? fields : quoted;
}

/** A field of the front matter whose plain value has a colon and a space. */
const UNQUOTED = /^([a-z-]+): +([^\s"'|>&*![{#%@`][^\n]*: [^\n]*)$/gm;

function quoteValue(_: string, field: string, value: string): string {
  return `${field}: ${JSON.stringify(value.trim())}`;
}

function parseFields(frontMatter: string): Readonly<Record<string, unknown>> | string {
  try {
    // The failsafe schema has only maps, lists and strings, so no value becomes a date or a number.
    const document = parseDocument(frontMatter, { schema: "failsafe", logLevel: "silent" });
    // An unknown tag is only a warning of the library.
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) return `the front matter is not valid YAML (${firstLine(error)})`;
    // Aliases could expand to a huge value.
    const fields: unknown = document.toJS({ maxAliasCount: 0 });
    if (typeof fields === "object" && fields !== null && !Array.isArray(fields))
      return fields as Readonly<Record<string, unknown>>;
    return "the front matter is not a list of `field: value`";
  } catch (error) {
    return `the front matter is not valid YAML (${firstLine(error)})`;
  }
}

function textProblem(field: string, value: unknown, maxCharacters: number): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return `the field '${field}' has no text`;
  if (value.length > maxCharacters)
    return `the field '${field}' has ${value.length} characters, the format allows ${maxCharacters}`;
  return undefined;
}

const MAX_ERROR_CHARACTERS = 120;

/** The library's messages quote the text on the following lines. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  return message.split("\n", 1)[0]?.replace(/:$/, "").slice(0, MAX_ERROR_CHARACTERS) ?? "";
}
