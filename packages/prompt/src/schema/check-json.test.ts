import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { checkJson } from "./check-json.js";
import type { JsonSchema } from "./schema.js";

interface Row {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly issues: readonly string[];
}

it.each<Row>([
  { schema: {}, value: 1, issues: [] },
  { schema: { type: "string" }, value: "a", issues: [] },
  { schema: { type: "string" }, value: 1, issues: ["must be string"] },
  { schema: { type: ["string", "null"] }, value: null, issues: [] },
  { schema: { type: "integer" }, value: 1.5, issues: ["must be integer"] },
  { schema: { type: "number" }, value: Number.NaN, issues: ["must be number"] },
  { schema: { type: "object" }, value: [], issues: ["must be object"] },
  { schema: { enum: ["a", "b"] }, value: "c", issues: ['must be "a" or "b"'] },
  { schema: { const: { a: 1 } }, value: { a: 1 }, issues: [] },
  { schema: { minLength: 2 }, value: "é", issues: ["minLength is 2"] },
  { schema: { maxLength: 1 }, value: "👍", issues: [] },
  { schema: { maxItems: 1 }, value: [1, 2], issues: ["maxItems is 1"] },
  { schema: { minimum: 3, maximum: 4 }, value: 2, issues: ["minimum is 3"] },
  { schema: { exclusiveMinimum: 3 }, value: 3, issues: ["must be above 3"] },
  { schema: { exclusiveMaximum: 3 }, value: 3, issues: ["must be below 3"] },
  { schema: { items: { type: "string" } }, value: ["a", 1], issues: ["1: must be string"] },
  {
    schema: { prefixItems: [{ type: "string" }], items: false },
    value: ["a", 1],
    issues: ["1: nothing is allowed here"],
  },
  {
    schema: { properties: { a: { type: "string" } }, required: ["a", "b"] },
    value: { a: 1 },
    issues: ["b: required", "a: must be string"],
  },
  {
    schema: { properties: {}, additionalProperties: false },
    value: { toString: 1 },
    issues: ["toString: unknown field"],
  },
  { schema: { required: ["toString"] }, value: {}, issues: ["toString: required"] },
  {
    schema: { anyOf: [{ type: "string" }, { type: "null" }] },
    value: 1,
    issues: ["matches none of the allowed forms"],
  },
  {
    schema: { oneOf: [{ type: "number" }, { minimum: 1 }] },
    value: 1,
    issues: ["must match exactly one of the allowed forms"],
  },
  {
    schema: { allOf: [{ minimum: 2 }, { maximum: 0 }] },
    value: 1,
    issues: ["minimum is 2", "maximum is 0"],
  },
  { schema: { not: { type: "string" } }, value: "a", issues: ["has a form that is not allowed"] },
  {
    schema: { $defs: { a: { type: "string" } }, $ref: "#/$defs/a" },
    value: 1,
    issues: ["must be string"],
  },
  { schema: { $ref: "#/$defs/a" }, value: 1, issues: ["'#/$defs/a' does not exist"] },
  { schema: { $ref: "other.json" }, value: 1, issues: ["'other.json' is not a local reference"] },
  { schema: { $ref: "#/$defs/%" }, value: 1, issues: ["'#/$defs/%' does not exist"] },
  { schema: { $ref: "#/toString" }, value: 1, issues: ["'#/toString' does not exist"] },
  {
    schema: { $ref: "#/anyOf/0", anyOf: [{ type: "string" }, {}] },
    value: 1,
    issues: ["must be string"],
  },
  { schema: { $ref: "#" }, value: 1, issues: ["nested too deeply"] },
  {
    schema: { anyOf: [{ $ref: "#" }, { $ref: "#" }] },
    value: 1,
    issues: ["matches none of the allowed forms"],
  },
])("checkJson reports $issues for $value and $schema (PR-18)", ({ schema, value, issues }) => {
  const found = checkJson(schema, value).map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  expect(found).toEqual(issues);
});

it("checkJson agrees with the library that generated the schema (PR-18)", () => {
  const library = z.strictObject({
    name: z.string().min(2).max(5),
    kind: z.enum(["a", "b"]).optional(),
    list: z.array(z.union([z.number().min(0), z.null()])).max(2),
    nested: z.strictObject({ flag: z.boolean() }).optional(),
  });
  const schema = z.toJSONSchema(library);
  const value = fc.record(
    {
      name: fc.oneof(fc.string({ maxLength: 7 }), fc.integer()),
      kind: fc.constantFrom("a", "b", "c"),
      list: fc.array(fc.oneof(fc.integer({ min: -2 }), fc.constant(null)), { maxLength: 3 }),
      nested: fc.record({ flag: fc.oneof(fc.boolean(), fc.nat()) }),
      other: fc.nat(),
    },
    { requiredKeys: ["list"] },
  );
  fc.assert(
    fc.property(value, (each) => {
      expect(checkJson(schema, each).length === 0).toBe(library.safeParse(each).success);
    }),
    { numRuns: 500 },
  );
});
