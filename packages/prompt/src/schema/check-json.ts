import type { JsonSchema } from "./schema.js";

interface JsonIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Validates `value` against the keywords that `jsonSchema()` supports. */
export function checkJson(schema: JsonSchema, value: unknown): readonly JsonIssue[] {
  return new JsonCheck(schema).run(schema, value);
}

/** Limits recursion, because a `$ref` to itself would recurse forever. */
const MAX_DEPTH = 200;
const MAX_STEPS = 500_000;
/** A shared empty list. Never add to it. */
const FINE: JsonIssue[] = [];

class JsonCheck {
  readonly #root: JsonSchema;
  /** The path from the root to the current value. */
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #steps = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  run(schema: unknown, value: unknown): JsonIssue[] {
    if (schema === false) return this.#issue("nothing is allowed here");
    if (!isRecord(schema)) return FINE;
    if (++this.#steps > MAX_STEPS) return this.#issue("too much to check");
    if (this.#depth === MAX_DEPTH) return this.#issue("nested too deeply");
    this.#depth++;
    let found = this.#reference(schema, value);
    found = joined(found, this.#say(checkType(schema, value)));
    found = joined(found, this.#say(checkChoice(schema, value)));
    found = joined(found, this.#bounds(schema, value));
    found = joined(found, this.#fields(schema, value));
    found = joined(found, this.#items(schema, value));
    found = joined(found, this.#combinations(schema, value));
    this.#depth--;
    return found;
  }

  /** Validates one member of the current value. */
  #member(key: string | number, schema: unknown, member: unknown): JsonIssue[] {
    this.#path.push(key);
    const issues = this.run(schema, member);
    this.#path.pop();
    return issues;
  }

  #issue(message: string, ...below: string[]): JsonIssue[] {
    return [{ path: [...this.#path, ...below], message }];
  }

  #say(message: string | undefined): JsonIssue[] {
    return message === undefined ? FINE : this.#issue(message);
  }

  #reference(schema: JsonSchema, value: unknown): JsonIssue[] {
    const { $ref } = schema;
    if (typeof $ref !== "string") return FINE;
    if (!$ref.startsWith("#")) return this.#issue(`'${$ref}' is not a local reference`);
    let target: unknown = this.#root;
    for (const step of $ref.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const next: unknown = isRecord(target) || Array.isArray(target) ? target : {};
      // Arrays and objects are both indexed by name here.
      const members = next as Readonly<Record<string, unknown>>;
      target = Object.hasOwn(members, name) ? members[name] : undefined;
    }
    if (target === undefined) return this.#issue(`'${$ref}' does not exist`);
    return this.run(target, value);
  }

  #bounds(schema: JsonSchema, value: unknown): JsonIssue[] {
    let found = FINE;
    for (const [keyword, measure, side] of BOUNDS) {
      const bound = schema[keyword];
      if (typeof bound !== "number") continue;
      const measured = measure(value);
      if (typeof measured !== "number") continue;
      const holds = side === "least" ? measured >= bound : measured <= bound;
      if (!holds) found = joined(found, this.#issue(`${keyword} is ${bound}`));
    }
    if (typeof value !== "number") return found;
    const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
    if (typeof above === "number" && value <= above)
      found = joined(found, this.#issue(`must be above ${above}`));
    if (typeof below === "number" && value >= below)
      found = joined(found, this.#issue(`must be below ${below}`));
    return found;
  }

  #fields(schema: JsonSchema, value: unknown): JsonIssue[] {
    if (!isRecord(value)) return FINE;
    const properties = isRecord(schema["properties"]) ? schema["properties"] : NOTHING;
    const { required, additionalProperties } = schema;
    let found = FINE;
    if (Array.isArray(required))
      for (const name of required)
        if (!Object.hasOwn(value, name)) found = joined(found, this.#issue("required", name));
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(properties, name))
        found = joined(found, this.#member(name, properties[name], value[name]));
      else if (additionalProperties === false)
        found = joined(found, this.#issue("unknown field", name));
      else found = joined(found, this.#member(name, additionalProperties, value[name]));
    }
    return found;
  }

  #items(schema: JsonSchema, value: unknown): JsonIssue[] {
    if (!Array.isArray(value)) return FINE;
    const first = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
    return value.flatMap((item, index) =>
      this.#member(index, index < first.length ? first[index] : schema["items"], item),
    );
  }

  #combinations(schema: JsonSchema, value: unknown): JsonIssue[] {
    const { allOf, anyOf, oneOf, not } = schema;
    if ((allOf ?? anyOf ?? oneOf ?? not) === undefined) return FINE;
    const passing = (each: readonly unknown[]) =>
      each.filter((one) => this.run(one, value).length === 0).length;
    let found = FINE;
    if (Array.isArray(allOf)) found = allOf.flatMap((one) => this.run(one, value));
    if (Array.isArray(anyOf) && passing(anyOf) === 0)
      found = joined(found, this.#issue("matches none of the allowed forms"));
    if (Array.isArray(oneOf) && passing(oneOf) !== 1)
      found = joined(found, this.#issue("must match exactly one of the allowed forms"));
    if (not !== undefined && passing([not]) === 1)
      found = joined(found, this.#issue("has a form that is not allowed"));
    return found;
  }
}

const NOTHING: Readonly<Record<string, unknown>> = {};

/**
 * Allocates nothing without issues. That is the normal case, and every event of a session
 * is validated.
 */
function joined(some: JsonIssue[], more: JsonIssue[]): JsonIssue[] {
  if (more.length === 0) return some;
  if (some === FINE) return more;
  for (const issue of more) some.push(issue);
  return some;
}

function checkType(schema: JsonSchema, value: unknown): string | undefined {
  const { type } = schema;
  if (typeof type === "string") return isOfType(value, type) ? undefined : `must be ${type}`;
  if (!Array.isArray(type) || type.some((each) => isOfType(value, each))) return undefined;
  return `must be ${type.join(" or ")}`;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function checkChoice(schema: JsonSchema, value: unknown): string | undefined {
  const choices = Array.isArray(schema["enum"])
    ? schema["enum"]
    : Object.hasOwn(schema, "const")
      ? [schema["const"]]
      : undefined;
  if (choices === undefined) return undefined;
  const written = JSON.stringify(value);
  if (choices.some((choice) => JSON.stringify(choice) === written)) return undefined;
  return `must be ${choices.map((each) => JSON.stringify(each)).join(" or ")}`;
}

const BOUNDS: readonly (readonly [string, (value: unknown) => unknown, "least" | "most"])[] = [
  ["minLength", textLength, "least"],
  ["maxLength", textLength, "most"],
  ["minItems", itemCount, "least"],
  ["maxItems", itemCount, "most"],
  ["minimum", (value) => value, "least"],
  ["maximum", (value) => value, "most"],
];

function textLength(value: unknown): number | undefined {
  return typeof value === "string" ? [...value].length : undefined;
}

function itemCount(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
