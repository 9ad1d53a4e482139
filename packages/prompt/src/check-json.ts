import type { JsonSchema } from "./schema.js";

interface JsonIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** What is wrong with `value` by the keywords that `jsonSchema()` promises to check. */
export function checkJson(schema: JsonSchema, value: unknown): readonly JsonIssue[] {
  return new JsonCheck(schema).run(schema, value, []);
}

/** A reference that leads to itself would go on for ever, and choices between such would do so in every way. */
const DEEPEST = 200;
const MOST_STEPS = 500_000;
const FINE: readonly JsonIssue[] = [];

class JsonCheck {
  readonly #root: JsonSchema;
  #depth = 0;
  #steps = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  run(schema: unknown, value: unknown, path: JsonIssue["path"]): readonly JsonIssue[] {
    if (schema === false) return [{ path, message: "nothing is allowed here" }];
    if (!isRecord(schema)) return FINE;
    if (++this.#steps > MOST_STEPS) return [{ path, message: "too much to check" }];
    if (this.#depth === DEEPEST) return [{ path, message: "nested too deeply" }];
    this.#depth++;
    const found = [
      this.#reference(schema, value, path),
      checkType(schema, value, path),
      checkChoice(schema, value, path),
      checkBounds(schema, value, path),
      this.#fields(schema, value, path),
      this.#items(schema, value, path),
      this.#combinations(schema, value, path),
    ];
    this.#depth--;
    // Nearly always there is nothing, and every event of a session is checked.
    return found.some((issues) => issues !== FINE) ? found.flat() : FINE;
  }

  #reference(schema: JsonSchema, value: unknown, path: JsonIssue["path"]): readonly JsonIssue[] {
    const { $ref } = schema;
    if (typeof $ref !== "string") return FINE;
    if (!$ref.startsWith("#")) return [{ path, message: `'${$ref}' cannot be looked up` }];
    let target: unknown = this.#root;
    for (const step of $ref.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const next: unknown = isRecord(target) || Array.isArray(target) ? target : {};
      // Both kinds are looked up by name alike.
      const members = next as Readonly<Record<string, unknown>>;
      target = Object.hasOwn(members, name) ? members[name] : undefined;
    }
    if (target === undefined) return [{ path, message: `'${$ref}' leads nowhere` }];
    return this.run(target, value, path);
  }

  #fields(schema: JsonSchema, value: unknown, path: JsonIssue["path"]): readonly JsonIssue[] {
    if (!isRecord(value)) return FINE;
    const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
    const { required, additionalProperties } = schema;
    const issues: JsonIssue[] = [];
    for (const name of Array.isArray(required) ? required : [])
      if (!Object.hasOwn(value, name)) issues.push({ path: [...path, name], message: "required" });
    for (const [name, member] of Object.entries(value)) {
      const at = [...path, name];
      if (Object.hasOwn(properties, name)) issues.push(...this.run(properties[name], member, at));
      else if (additionalProperties === false) issues.push({ path: at, message: "unknown field" });
      else issues.push(...this.run(additionalProperties, member, at));
    }
    return issues.length > 0 ? issues : FINE;
  }

  #items(schema: JsonSchema, value: unknown, path: JsonIssue["path"]): readonly JsonIssue[] {
    if (!Array.isArray(value)) return FINE;
    const first = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
    return value.flatMap((item, index) =>
      this.run(index < first.length ? first[index] : schema["items"], item, [...path, index]),
    );
  }

  #combinations(schema: JsonSchema, value: unknown, path: JsonIssue["path"]): readonly JsonIssue[] {
    const passing = (each: readonly unknown[]) =>
      each.filter((one) => this.run(one, value, path).length === 0).length;
    const { allOf, anyOf, oneOf, not } = schema;
    if ((allOf ?? anyOf ?? oneOf ?? not) === undefined) return FINE;
    const issues: JsonIssue[] = [];
    if (Array.isArray(allOf)) issues.push(...allOf.flatMap((one) => this.run(one, value, path)));
    if (Array.isArray(anyOf) && passing(anyOf) === 0)
      issues.push({ path, message: "fits none of the possible forms" });
    if (Array.isArray(oneOf) && passing(oneOf) !== 1)
      issues.push({ path, message: "must fit exactly one of the possible forms" });
    if (not !== undefined && passing([not]) === 1)
      issues.push({ path, message: "has a form that is not allowed" });
    return issues;
  }
}

function checkType(
  schema: JsonSchema,
  value: unknown,
  path: JsonIssue["path"],
): readonly JsonIssue[] {
  const { type } = schema;
  const types = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
  if (types === undefined || types.some((each) => isOfType(value, each))) return FINE;
  return [{ path, message: `must be ${types.join(" or ")}` }];
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

function checkChoice(
  schema: JsonSchema,
  value: unknown,
  path: JsonIssue["path"],
): readonly JsonIssue[] {
  const choices = Array.isArray(schema["enum"])
    ? schema["enum"]
    : Object.hasOwn(schema, "const")
      ? [schema["const"]]
      : undefined;
  if (choices === undefined) return FINE;
  const written = JSON.stringify(value);
  if (choices.some((choice) => JSON.stringify(choice) === written)) return FINE;
  return [{ path, message: `must be ${choices.map((each) => JSON.stringify(each)).join(" or ")}` }];
}

const BOUNDS: readonly (readonly [string, (value: unknown) => unknown, "least" | "most"])[] = [
  ["minLength", textLength, "least"],
  ["maxLength", textLength, "most"],
  ["minItems", itemCount, "least"],
  ["maxItems", itemCount, "most"],
  ["minimum", (value) => value, "least"],
  ["maximum", (value) => value, "most"],
];

function checkBounds(
  schema: JsonSchema,
  value: unknown,
  path: JsonIssue["path"],
): readonly JsonIssue[] {
  const issues: JsonIssue[] = [];
  for (const [keyword, measure, side] of BOUNDS) {
    const bound = schema[keyword];
    if (typeof bound !== "number") continue;
    const measured = measure(value);
    if (typeof measured !== "number") continue;
    const holds = side === "least" ? measured >= bound : measured <= bound;
    if (!holds) issues.push({ path, message: `${keyword} is ${bound}` });
  }
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof value === "number" && typeof above === "number" && value <= above)
    issues.push({ path, message: `must be above ${above}` });
  if (typeof value === "number" && typeof below === "number" && value >= below)
    issues.push({ path, message: `must be below ${below}` });
  return issues.length > 0 ? issues : FINE;
}

function textLength(value: unknown): number | undefined {
  return typeof value === "string" ? [...value].length : undefined;
}

function itemCount(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
