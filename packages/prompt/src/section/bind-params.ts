import { describeWrong, suggestName } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import { checkNow, describeIssue, isMissing, issuePath } from "../schema/schema.js";
import { fieldNames } from "../schema/to-json-schema.js";
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
  if (typeof given !== "object" || given === null)
    throw new PromptError(
      "PARAMS_INVALID",
      "bind",
      `parameters must be an object by section, got ${describeWrong(given)}`,
    );
  const all = [...walkTree(nodes)];
  const unknown = Object.keys(given).find((path) => !all.some((node) => node.path === path));
  if (unknown !== undefined) {
    const takers = all.filter(({ section }) => section.params !== undefined);
    const paths = takers.map(({ path }) => path);
    const reason = `unknown section '${unknown}'. ${suggestName(unknown, paths, "Sections with parameters")}`;
    throw new PromptError("PARAMS_UNKNOWN", "bind", reason);
  }
  // hasOwn, because a section key may be `constructor`.
  return new Map(
    all.map((node) => {
      const { path } = node;
      return [path, bindNode(node, Object.hasOwn(given, path) ? given[path] : undefined)];
    }),
  );
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
    throw new PromptError("PARAMS_UNKNOWN", subject, "it takes no parameters");
  }
  if (given !== undefined && (typeof given !== "object" || given === null))
    throw new PromptError(
      "PARAMS_INVALID",
      subject,
      `parameters must be an object, got ${describeWrong(given)}`,
    );

  const input = { ...defaults, ...given };
  const known = fieldNames(params);
  for (const name of Object.keys(input))
    if (known?.includes(name) === false)
      throw new PromptError(
        "PARAMS_UNKNOWN",
        subject,
        `unknown parameter '${name}'. ${suggestName(name, known, "Parameters")}`,
      );
  const checked = checkNow(params, input);
  if (checked === undefined)
    throw new PromptError(
      "SCHEMA_UNSUPPORTED",
      subject,
      "params is asynchronous. Use a synchronous schema",
    );
  if (checked.issues) throw refused(subject, checked.issues, input);
  // The schema has field names, so its output is an object.
  const values = checked.value as Values;
  const texts = [override?.names ?? section.placeholders, summary?.names ?? []];
  for (const name of texts.flat()) requireInsertable(subject, name, values?.[name]);
  return Object.freeze({ ...values });
}

type Issues = NonNullable<NonNullable<ReturnType<typeof checkNow>>["issues"]>;

function refused(subject: string, issues: Issues, input: Values): PromptError {
  const absent = issues
    .filter((issue) => isMissing(issue, input))
    .map((issue) => `'${issuePath(issue)}'`);
  if (absent.length === 0) {
    const problems = issues.map((issue) => describeIssue(issue, input, "parameter"));
    return new PromptError("PARAMS_INVALID", subject, problems.join("; "));
  }
  const names = absent.length === 1 ? `parameter ${absent[0]}` : `parameters ${absent.join(", ")}`;
  const them = absent.length === 1 ? "it" : "them";
  return new PromptError("PARAMS_MISSING", subject, `missing ${names}. Pass ${them} to bind`);
}

function requireInsertable(subject: string, name: string, value: unknown): void {
  if (["string", "number", "boolean", "bigint"].includes(typeof value)) return;
  const isAbsent = value === undefined || value === null;
  throw new PromptError(
    isAbsent ? "PARAMS_MISSING" : "PARAMS_INVALID",
    subject,
    isAbsent
      ? `parameter '${name}' has no value, and the text has \${${name}}`
      : `parameter '${name}' is used in the text, so it must be a string, a number or a boolean, got ${describeWrong(value)}`,
  );
}
