import { expect, it } from "vitest";
import { z } from "zod";
import { ANTHROPIC_STRICT, fitsStrict, OPENAI_STRICT } from "./strict-schema.js";

const closed = { type: "object", additionalProperties: false } as const;

it.each([
  { what: "closed objects", schema: z.strictObject({ a: z.string() }), openai: true, other: true },
  {
    what: "lists, choices and nothing",
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
    what: "lengths of texts",
    schema: z.strictObject({ a: z.string().min(2) }),
    ...{ openai: false, other: false },
  },
  {
    what: "anything that is described",
    schema: z.strictObject({ a: z.unknown().describe("Whatever.") }),
    ...{ openai: false, other: false },
  },
  {
    what: "one of several kinds",
    schema: z.strictObject({ a: z.union([z.string(), z.strictObject({ b: z.number() })]) }),
    ...{ openai: true, other: true },
  },
  {
    what: "one of several kinds, told apart by a field",
    schema: z.strictObject({
      a: z.discriminatedUnion("k", [z.strictObject({ k: z.literal("x") })]),
    }),
    ...{ openai: false, other: false },
  },
  { what: "a list", schema: z.array(z.string()), openai: false, other: false },
])("knows whether a model can be held to $what (AD-25)", ({ schema, openai, other }) => {
  const { $schema: _, ...json } = z.toJSONSchema(schema);
  expect(fitsStrict(json, OPENAI_STRICT)).toBe(openai);
  expect(fitsStrict(json, ANTHROPIC_STRICT)).toBe(other);
});

it.each([
  { what: "an open object that may be nothing", a: { type: ["object", "null"], properties: {} } },
  { what: "a list of anything", a: { type: "array" } },
  { what: "a value that is a list", a: { type: "array", items: { type: "null" }, const: [{}] } },
  { what: "a reference with something beside it", a: { $ref: "#", description: "The next." } },
  { what: "an object that does not say what it requires", a: { ...closed, properties: {} } },
])("does not hold OpenAI's models to $what (AD-25)", ({ a }) => {
  expect(fitsStrict({ ...closed, properties: { a }, required: ["a"] }, OPENAI_STRICT)).toBe(false);
});

it("holds models to references only where the provider follows them (AD-25)", () => {
  const node = { ...closed, properties: { next: { $ref: "#" } }, required: ["next"] };
  expect(fitsStrict(node, OPENAI_STRICT)).toBe(true);
  expect(fitsStrict(node, ANTHROPIC_STRICT)).toBe(false);
});
