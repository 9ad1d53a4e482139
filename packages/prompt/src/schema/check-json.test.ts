import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { jsonChecker } from "./check-json.js";
import { jsonSchema } from "./json-schema.js";
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
  { schema: { type: "object" }, value: [], issues: ["must be object"] },
  {
    schema: { enum: ["a", "b"] },
    value: "c",
    issues: ['Instance does not match any of ["a","b"]'],
  },
  { schema: { const: { a: 1 } }, value: { a: 1 }, issues: [] },
  { schema: { minLength: 2 }, value: "é", issues: ["String is too short (1 < 2)"] },
  { schema: { maxLength: 1 }, value: "👍", issues: [] },
  { schema: { maxItems: 1 }, value: [1, 2], issues: ["Array has too many items (2 > 1)"] },
  { schema: { minimum: 3, maximum: 4 }, value: 2, issues: ["2 is less than 3"] },
  { schema: { exclusiveMinimum: 3 }, value: 3, issues: ["3 is less than 3"] },
  { schema: { exclusiveMaximum: 3 }, value: 3, issues: ["3 is greater than or equal to 3"] },
  { schema: { items: { type: "string" } }, value: ["a", 1], issues: ["1: must be string"] },
  {
    schema: { prefixItems: [{ type: "string" }], items: false },
    value: ["a", 1],
    issues: ["1: unknown field"],
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
    issues: ["Instance does not match any subschemas", "must be string", "must be null"],
  },
  {
    schema: { oneOf: [{ type: "number" }, { minimum: 1 }] },
    value: 1,
    issues: ["Instance does not match exactly one subschema (2 matches)"],
  },
  {
    schema: { allOf: [{ minimum: 2 }, { maximum: 0 }] },
    value: 1,
    issues: ["1 is less than 2", "1 is greater than 0"],
  },
  { schema: { not: { type: "string" } }, value: "a", issues: ['Instance matched "not" schema'] },
  {
    schema: { $defs: { a: { type: "string" } }, $ref: "#/$defs/a" },
    value: 1,
    issues: ["must be string"],
  },
  { schema: { $ref: "#/$defs/a" }, value: 1, issues: ['Unresolved $ref "#/$defs/a"'] },
  { schema: { $ref: "other.json" }, value: 1, issues: ['Unresolved $ref "other.json"'] },
  { schema: { $ref: "#/$defs/%" }, value: 1, issues: ['Unresolved $ref "#/$defs/%"'] },
  { schema: { $ref: "#/toString" }, value: 1, issues: ['Unresolved $ref "#/toString"'] },
  {
    schema: { $ref: "#/anyOf/0", anyOf: [{ type: "string" }, {}] },
    value: 1,
    issues: ["must be string"],
  },
  { schema: { $ref: "#" }, value: 1, issues: ["too much to check"] },
  {
    schema: { anyOf: [{ $ref: "#" }, { $ref: "#" }] },
    value: 1,
    issues: ["too much to check"],
  },
  {
    schema: { patternProperties: { "^x-": { type: "string" } }, additionalProperties: false },
    value: { "x-a": "1" },
    issues: [],
  },
  { schema: { const: { a: 1, b: 2 } }, value: { b: 2, a: 1 }, issues: [] },
  { schema: { enum: [{ a: 1, b: 2 }] }, value: { b: 2, a: 1 }, issues: [] },
  { schema: { pattern: "^a+$" }, value: "ab", issues: ["String does not match pattern"] },
  { schema: { uniqueItems: true }, value: [1, 2, 3], issues: [] },
])("jsonChecker reports $issues for $value and $schema (PR-18)", ({ schema, value, issues }) => {
  const found = jsonChecker(schema)(value).map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  expect(found).toEqual(issues);
});

it("jsonChecker agrees with the library that generated the schema (PR-18)", () => {
  const library = z.strictObject({
    name: z.string().min(2).max(5),
    kind: z.enum(["a", "b"]).optional(),
    list: z.array(z.union([z.number().min(0), z.null()])).max(2),
    nested: z.strictObject({ flag: z.boolean() }).optional(),
  });
  const check = jsonChecker(z.toJSONSchema(library) as JsonSchema);
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
      expect(check(each).length === 0).toBe(library.safeParse(each).success);
    }),
    { numRuns: 500 },
  );
});

it.each([
  { schema: { pattern: "^(a+)+$" }, value: `${"a".repeat(50)}!` },
  { schema: { pattern: "^(a|a)*$" }, value: `${"a".repeat(50)}!` },
  { schema: { pattern: "(?=a*)a*a*a*a*a*b" }, value: "a".repeat(50_000) },
  { schema: { pattern: "a*a*a*b" }, value: "a".repeat(5_000) },
  { schema: { pattern: `^${"a?".repeat(60)}${"a".repeat(60)}$` }, value: `${"a".repeat(59)}b` },
  { schema: { pattern: `^${"(a|a)".repeat(30)}b` }, value: "a".repeat(30) },
  { schema: { pattern: "^(?:(?:a{999}){999}){999}b" }, value: "a".repeat(50_000) },
  // A backslash before `p{2,}` makes it a repeat and not a property of characters.
  { schema: { pattern: "\\\\p{2,}p{2,}p{2,}p{2,}x" }, value: `\\${"p".repeat(5_000)}` },
  // A pattern that is fast on short texts does not run on a long one.
  { schema: { pattern: "a*b" }, value: "a".repeat(50_000) },
  { schema: { uniqueItems: true }, value: Array.from({ length: 50_000 }, () => 1) },
  { schema: { format: "email" }, value: "not an address" },
  {
    schema: { patternProperties: { "^(a+)+$": false }, additionalProperties: false },
    value: { [`${"a".repeat(50)}!`]: 1 },
  },
])("jsonChecker does not run a check that could block: $schema (PR-18)", ({ schema, value }) => {
  expect(jsonChecker(schema)(value)).toEqual([]);
});

it("jsonChecker ends on values and schemas that would take exponential time or overflow the stack (PR-18)", () => {
  let deep: unknown = {};
  for (let level = 0; level < 100; level++) deep = { next: deep };
  const both = [{ $ref: "#/$defs/again" }, { $ref: "#/$defs/again" }];
  const twice = { allOf: both, $defs: { again: { properties: { next: { $ref: "#" } } } } };
  expect(jsonChecker(twice)(deep)).toEqual([{ path: [], message: "too much to check" }]);
  for (let level = 0; level < 20_000; level++) deep = [deep];
  expect(jsonChecker({})(deep)).toEqual([{ path: [], message: "nested too deeply" }]);
});

it("jsonChecker runs simple patterns on short texts, as many as its limit allows (PR-18)", () => {
  const check = jsonChecker({ items: { pattern: "a*b" } });
  expect(check(["aab", "c"])).toEqual([{ path: [1], message: "String does not match pattern" }]);
  const many = Array.from({ length: 100_000 }, () => "c".repeat(500));
  expect(check(many).length).toBeGreaterThan(0);
  expect(check(many).length).toBeLessThan(many.length);
});

it("jsonSchema refuses a schema that is nested too deep (PR-18)", () => {
  let deep: JsonSchema = {};
  for (let level = 0; level < 20_000; level++) deep = { not: deep };
  expect(() => jsonSchema(deep)).toThrow(
    "jsonSchema(): the schema is nested deeper than 200 levels.",
  );
});
