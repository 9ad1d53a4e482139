import { expect, it } from "vitest";
import { z } from "zod";
import { fail, ok } from "../protocol/tool-result.js";
import { jsonSchema } from "../schema/json-schema.js";
import type { ModelSchema } from "../schema/schema.js";
import { createToolContext } from "../testing.js";
import { defineTool } from "./define-tool.js";
import { describeTool } from "./describe-tool.js";
import { parseInput } from "./parse-input.js";
import { renderResult } from "./render-result.js";

it("the model sees a closed object schema with its descriptions (PR-18)", () => {
  const input = z.object({
    path: z.string().default(".").describe("Where to look."),
    limit: z.int().min(1).optional(),
    edits: z.array(z.object({ old: z.string(), new: z.string() })),
    mode: z.enum(["a", "b"]),
    extra: z.record(z.string(), z.object({ x: z.number() })).optional(),
  });
  expect(toolOf(input).inputSchema).toEqual({
    type: "object",
    properties: {
      path: { type: "string", default: ".", description: "Where to look." },
      limit: { type: "integer", minimum: 1 },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { old: { type: "string" }, new: { type: "string" } },
          required: ["old", "new"],
          additionalProperties: false,
        },
      },
      mode: { type: "string", enum: ["a", "b"] },
      extra: {
        type: "object",
        propertyNames: { type: "string" },
        additionalProperties: {
          type: "object",
          properties: { x: { type: "number" } },
          required: ["x"],
          additionalProperties: false,
        },
      },
    },
    required: ["edits", "mode"],
    additionalProperties: false,
  });
});

it("closing object schemas does not change data in the schema (PR-18)", () => {
  const input = jsonSchema({
    type: "object",
    properties: { point: { type: "object", default: { properties: { x: 1 } } } },
  });
  expect(toolOf(input).inputSchema["properties"]).toEqual({
    point: { type: "object", default: { properties: { x: 1 } } },
  });
});

it("fields with the names of JSON Schema keywords are fields (PR-18)", () => {
  const point = z.object({ x: z.number() });
  const input = z.object({ properties: point, default: point, items: z.string() });
  const closed = {
    type: "object",
    properties: { x: { type: "number" } },
    required: ["x"],
    additionalProperties: false,
  };
  expect(toolOf(input).inputSchema).toEqual({
    type: "object",
    properties: { properties: closed, default: closed, items: { type: "string" } },
    required: ["properties", "default", "items"],
    additionalProperties: false,
  });
});

it("the parts of an intersection are not closed (PR-18)", () => {
  const part = (name: string) => ({
    type: "object",
    properties: { [name]: { type: "string" } },
    required: [name],
  });
  const both = { allOf: [part("a"), part("b")] };
  const input = jsonSchema({ type: "object", properties: { both } });
  expect(toolOf(input).inputSchema["properties"]).toEqual({ both });
});

it("a JSON Schema is used unchanged and validates the input (PR-18)", async () => {
  const tool = toolOf(
    jsonSchema<{ readonly path: string }>({
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
      additionalProperties: false,
    }),
  );
  expect(await parseInput(tool, { path: "a" })).toEqual({ success: true, value: { path: "a" } });
  expect(await parseInput(tool, { path: 1 })).toMatchObject({
    success: false,
    message: "The input does not fit a_tool.\n- path: must be string",
  });
});

const bare: ModelSchema = {
  "~standard": { version: 1, vendor: "bare", validate: (value: unknown) => ({ value }) },
} as never;

it.each([
  {
    input: z.object({ when: z.string().transform((text) => new Date(text)) }),
    reason: "input field 'when' (transform) changes its type. Convert it in the handler.",
  },
  {
    input: z.object({ steps: z.array(z.object({ due: z.date() })) }),
    reason: "input field 'steps[].due' (date) has no JSON Schema form. Use a string, a number, ",
  },
  { input: z.string(), reason: "input must be a schema of an object." },
  {
    input: bare,
    reason: "input: a schema of 'bare' has no JSON Schema form. Use zod 4.2 or newer",
  },
])("defineTool refuses an input because $reason (PR-18)", ({ input, reason }) => {
  const message = expect.stringContaining(`tool 'a_tool': ${reason}`);
  expect(() => toolOf(input)).toThrow(
    expect.objectContaining({ code: "SCHEMA_UNSUPPORTED", message }),
  );
});

it.each([
  { part: { name: "two words" }, reason: "a name has 1 to 64 letters" },
  { part: { name: "l".repeat(65) }, reason: "a name has 1 to 64 letters" },
  { part: { description: " " }, reason: "description is missing" },
  {
    part: { access: "delete" as "read" },
    reason: "access must be one of 'read', 'session', 'write', 'opaque', got \"delete\"",
  },
  { part: { timeoutMs: 0 }, reason: "timeoutMs must be a number above 0, got 0" },
  { part: { handler: undefined as never }, reason: "handler must be a function, got undefined" },
  { part: { input: {} as never }, reason: "input is not a Standard Schema" },
])("defineTool refuses a tool with $part (PR-13)", ({ part, reason }) => {
  const make = () => defineTool({ ...definition(z.object({})), ...part });
  expect(make).toThrow(expect.objectContaining({ code: "TOOL_INVALID" }));
  expect(make).toThrow(reason);
});

it.each([
  {
    example: { input: { count: "three" as unknown as number } },
    reason: "input: field 'count' must be a number, got \"three\".",
  },
  {
    example: { input: { count: 3 }, output: { total: "3" as unknown as number } },
    reason: "output: field 'total' must be a number, got \"3\".",
  },
])("defineTool validates the examples (PR-19)", ({ example, reason }) => {
  const define = () =>
    defineTool({
      ...definition(z.object({ count: z.number().default(1) })),
      output: z.object({ total: z.number() }),
      examples: [{ input: {} }, { input: { count: 2 }, output: { total: 2 } }, example],
      handler: ({ count }) => ok({ total: count }, "Added."),
    });
  expect(define).toThrow(`example 3 of tool 'a_tool': ${reason}`);
});

it("describeTool shows the examples (PR-19)", () => {
  const tool = defineTool({
    ...definition(z.object({ count: z.number().default(1) })),
    output: z.object({ total: z.number() }),
    examples: [
      { input: {} },
      { description: "To add two", input: { count: 2 }, output: { total: 2 } },
    ],
    handler: ({ count }) => ok({ total: count }, "Added."),
  });
  expect(describeTool(tool)).toBe(
    'Does something.\n\nExamples:\n- {}\n- To add two: {"count":2} → {"total":2}',
  );
  expect(describeTool({ description: "Does something.", examples: [] })).toBe("Does something.");
});

it("ok and fail return frozen plain data (PR-20)", () => {
  expect(ok({ count: 3 }, "Three.")).toEqual({
    success: true,
    value: { count: 3 },
    message: "Three.",
  });
  expect(fail("No.")).toEqual({ success: false, message: "No." });
  expect(fail("No.", { hint: "Yes." })).toEqual({ success: false, message: "No.", hint: "Yes." });
  for (const result of [ok(1, ""), fail(""), fail("", { hint: "" })])
    expect(Object.isFrozen(result)).toBe(true);
});

it("defineTool returns a frozen tool whose handler keeps its `this`", async () => {
  const tool = defineTool({
    ...definition(z.object({})),
    handler() {
      return ok(this.name, "Named.");
    },
  });
  const { handler } = tool;
  expect(Object.isFrozen(tool)).toBe(true);
  expect(await handler({}, createToolContext())).toEqual(ok("a_tool", "Named."));
});

it.each([
  {
    input: { path: 1, depth: "x" },
    message:
      "The input does not fit a_tool.\n- path: Invalid input: expected string, received number\n- depth: Invalid input: expected number, received string",
    hint: "Call it again with these corrected.",
  },
  {
    input: { path: "a", dpeth: 2 },
    message: "The input has fields that a_tool does not take: dpeth.",
    hint: "Its fields are: path, depth.",
  },
  {
    input: "path",
    message: "The input does not fit a_tool.\n- Invalid input: expected object, received string",
    hint: "Call it again with these corrected.",
  },
])("parseInput answers $input with every problem (PR-22)", async ({ input, message, hint }) => {
  const tool = toolOf(z.object({ path: z.string(), depth: z.number().default(1) }));
  expect(await parseInput(tool, input)).toEqual({ success: false, message, hint });
  expect(await parseInput(tool, { path: "a" })).toEqual({
    success: true,
    value: { path: "a", depth: 1 },
  });
});

it("parseInput waits for an asynchronous schema (PR-22)", async () => {
  const tool = toolOf(z.object({ path: z.string().refine(async (path) => path !== "b") }));
  expect((await parseInput(tool, { path: "a" })).success).toBe(true);
  expect((await parseInput(tool, { path: "b" })).success).toBe(false);
});

it.each([
  { result: ok({ a: 1 }, "One."), text: 'One.\n\n{"a":1}' },
  { result: ok(undefined, "Done."), text: "Done." },
  { result: fail("No."), text: "No." },
  { result: fail("No.", { hint: "Ask." }), text: "No.\nAsk." },
])("renderResult shows the model `$text`", ({ result, text }) => {
  expect(renderResult(toolOf(z.object({})), result)).toBe(text);
});

function definition<Input extends ModelSchema>(input: Input) {
  return {
    name: "a_tool",
    description: "Does something.",
    input,
    access: "read" as const,
    handler: () => ok<unknown>(undefined, "Done."),
  };
}

function toolOf<Input extends ModelSchema>(input: Input) {
  return defineTool(definition(input));
}
