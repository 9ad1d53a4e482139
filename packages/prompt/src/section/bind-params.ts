import { PromptError } from "../error/prompt-error.js";
import { checkNow, describeIssues, type Issue } from "../schema/schema.js";
import { fieldNames } from "../schema/to-json-schema.js";
import { describeParameters } from "./check-section.js";
import { isInsertable } from "./section-template.js";
import { type SectionNode, walkTree } from "./section-tree.js";

/** The validated parameters of a section, with defaults. */
export type Values = Readonly<Record<string, unknown>>;

/** Parameters by the path of their section. */
export type BoundValues = ReadonlyMap<string, Values>;

const NONE: Values = Object.freeze({});

/** Validates the parameters of every section. Throws at the first problem. */
export function bindParams(
  nodes: readonly SectionNode[],
  given: Readonly<Record<string, unknown>>,
): BoundValues {
  const bound = new Map<string, Values>();
  for (const node of walkTree(nodes)) {
    const { path } = node;
    // hasOwn, because a section key may be `constructor`.
    bound.set(path, bindNode(node, Object.hasOwn(given, path) ? given[path] : undefined));
  }
  for (const path of Object.keys(given)) {
    if (bound.has(path)) continue;
    const paths = takers(nodes).join(", ") || "none";
    throw new PromptError("params_unknown", {
      subject: `section '${path}'`,
      reason: `unknown section; sections with parameters: ${paths}`,
    });
  }
  return bound;
}

/** Binds every section that has defaults for all its parameters. `missing` lists the others. */
export function bindDefaults(nodes: readonly SectionNode[]): {
  readonly bound: BoundValues;
  readonly missing: readonly string[];
} {
  const bound = new Map<string, Values>();
  const missing: string[] = [];
  for (const node of walkTree(nodes)) {
    try {
      bound.set(node.path, bindNode(node, undefined));
    } catch {
      missing.push(node.path);
    }
  }
  return { bound, missing };
}

function bindNode({ section, path, override }: SectionNode, given: unknown): Values {
  const subject = `section '${path}'`;
  const { params, defaults, summary } = section;
  if (params === undefined) {
    if (given === undefined) return NONE;
    throw new PromptError("params_unknown", { subject, reason: "it takes no parameters" });
  }
  if (given !== undefined && (typeof given !== "object" || given === null))
    throw new PromptError("params_invalid", { subject, reason: "parameters are an object" });

  const input = { ...defaults, ...given };
  const known = fieldNames(params);
  const unknown = Object.keys(input).filter((name) => known?.includes(name) === false);
  if (unknown.length > 0)
    throw new PromptError("params_unknown", {
      subject,
      reason: `${unknown.join(", ")} given, but ${describeParameters(known)}`,
    });
  const checked = checkNow(params, input);
  if (checked === undefined)
    throw new PromptError("schema_unsupported", {
      subject,
      reason: "params is asynchronous, and parameters are checked synchronously",
    });
  if (checked.issues) throw refused(subject, checked.issues, input);
  // The schema has field names, so its output is an object.
  const values = checked.value as Values;
  const texts = [override?.names ?? section.placeholders, summary?.names ?? []];
  for (const name of texts.flat()) requireInsertable(subject, name, values?.[name]);
  return Object.freeze({ ...values });
}

function refused(subject: string, issues: readonly Issue[], input: Values): PromptError {
  const absent = issues.map(({ path }) => path).filter((path) => isName(path) && !(path in input));
  if (absent.length > 0)
    return new PromptError("params_missing", { subject, reason: `${absent.join(", ")} missing` });
  return new PromptError("params_invalid", { subject, reason: describeIssues(issues) });
}

function isName(path: string): boolean {
  return path !== "" && !/[.[]/.test(path);
}

function requireInsertable(subject: string, name: string, value: unknown): void {
  if (isInsertable(value)) return;
  const missing = value === undefined || value === null;
  throw new PromptError(missing ? "params_missing" : "params_invalid", {
    subject,
    reason: missing
      ? `${name} has no value, and the text has \${${name}}`
      : `${name} is used in the text, so it must be a string, a number or a boolean`,
  });
}

function takers(nodes: readonly SectionNode[]): readonly string[] {
  return [...walkTree(nodes)]
    .filter(({ section }) => section.params !== undefined)
    .map(({ path }) => path);
}
