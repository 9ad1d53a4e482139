import { expect, it } from "vitest";
import { z } from "zod";
import { ANTHROPIC_STRICT, fitsStrict, OPENAI_STRICT } from "./strict-schema.js";

const closed = { type: "object", additionalProperties: false } as const;

it.each([
  { what: "closed objects", schema: z.strictObject({ a: z.string() }), openai: true, other: true },
  {
    what: "arrays, enums and null",
    schema: z.strictObject({ a: z.array(z.enum(["x"])), b: z.number().nullable() }),
    ...{ openai: true, other: true },
  },
  {
    what: "optional fields",
    schema: z.strictObject({ a: z.string().optional() }),
    ...{ openai: false, other: true },
  },
  {
    what: "free fields",
    schema: z.strictObject({ a: z.record(z.string(), z.string()) }),
    ...{ openai: false, other: false },
  },
  { what: "anything", schema: z.strictObject({ a: z.unknown() }), openai: false, other: false },
  {
    what: "string lengths",
    schema: z.strictObject({ a: z.string().min(2) }),
    ...{ openai: false, other: false },
  },
  {
    what: "a described value of any type",
    schema: z.strictObject({ a: z.unknown().describe("Whatever.") }),
    ...{ openai: false, other: false },
  },
  {
    what: "a union",
    schema: z.strictObject({ a: z.union([z.string(), z.strictObject({ b: z.number() })]) }),
    ...{ openai: true, other: true },
  },
  {
    what: "a discriminated union",
    schema: z.strictObject({
      a: z.discriminatedUnion("k", [z.strictObject({ k: z.literal("x") })]),
    }),
    ...{ openai: false, other: false },
  },
  { what: "a list", schema: z.array(z.string()), openai: false, other: false },
])("fitsStrict knows whether a provider can enforce $what (AD-25)", ({ schema, openai, other }) => {
  const { $schema: _, ...json } = z.toJSONSchema(schema);
  expect(fitsStrict(json, OPENAI_STRICT)).toBe(openai);
  expect(fitsStrict(json, ANTHROPIC_STRICT)).toBe(other);
});

it.each([
  { what: "a nullable open object", a: { type: ["object", "null"], properties: {} } },
  { what: "an array of anything", a: { type: "array" } },
  { what: "a constant array", a: { type: "array", items: { type: "null" }, const: [{}] } },
  { what: "a reference with other keywords", a: { $ref: "#", description: "The next." } },
  { what: "an object without required", a: { ...closed, properties: {} } },
])("fitsStrict is false for OpenAI with $what (AD-25)", ({ a }) => {
  expect(fitsStrict({ ...closed, properties: { a }, required: ["a"] }, OPENAI_STRICT)).toBe(false);
});

it("fitsStrict allows references only if the provider supports them (AD-25)", () => {
  const node = { ...closed, properties: { next: { $ref: "#" } }, required: ["next"] };
  expect(fitsStrict(node, OPENAI_STRICT)).toBe(true);
  expect(fitsStrict(node, ANTHROPIC_STRICT)).toBe(false);
});
