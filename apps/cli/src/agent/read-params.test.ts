import { expect, it } from "vitest";
import { z } from "zod";
import { readParams } from "./read-params.js";

const schema = z.object({ focus: z.string().default("all"), limit: z.number().default(1) });

it("readParams tries parameters as strings first, so a string of digits stays a string (CL-16)", async () => {
  expect(await readParams(z.object({ version: z.string() }), ["version=1"])).toEqual({
    version: "1",
  });
  const texts = z.record(z.string(), z.string());
  expect(await readParams(texts, ["a=1", "a=2", "b=x=y"])).toEqual({ a: "2", b: "x=y" });
});

it("readParams parses a value as JSON if it is valid only as JSON (CL-16)", async () => {
  expect(await readParams(schema, ["limit=3", "focus=errors"])).toEqual({
    limit: 3,
    focus: "errors",
  });
});

it("readParams keeps valid strings as strings when other values are parsed as JSON (CL-16)", async () => {
  expect(await readParams(schema, ["limit=3", "focus=7"])).toEqual({ limit: 3, focus: "7" });
});

it("readParams accepts a schema that renames fields or passes them through (CL-16)", async () => {
  const renamed = z.object({ old: z.string() }).transform((given) => ({ now: given.old }));
  expect(await readParams(renamed, ["old=x"])).toEqual({ now: "x" });
  expect(await readParams(z.looseObject({}), ["any=x"])).toEqual({ any: "x" });
});

it.each([
  {
    given: ["focsu=errors"],
    message: "The agent takes no parameter focsu.",
    hint: "Did you mean focus?",
  },
  { given: ["limit=many"], message: "Parameter limit is invalid" },
  { given: ["limit"], message: "--param takes name=value" },
  { given: ["=3"], message: "--param takes name=value" },
])(
  "readParams refuses $given and names the parameter (CL-2, CL-16)",
  async ({ given, message, hint }) => {
    await expect(readParams(schema, given)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
      ...(hint !== undefined && { hint }),
    });
  },
);

it("readParams names the parameter that a misspelt one means (CL-2, CL-16)", async () => {
  const required = z.object({ focus: z.string() });
  await expect(readParams(required, ["focsu=errors"])).rejects.toMatchObject({
    message: expect.stringContaining("Parameter focus is invalid"),
    hint: "You gave --param focsu. Did you mean focus?",
  });
});

it("readParams refuses parameters for an agent that takes none (CL-2, CL-16)", async () => {
  expect(await readParams(undefined, [])).toEqual({});
  await expect(readParams(undefined, ["x=1"])).rejects.toMatchObject({
    exitCode: 2,
    message: "The agent takes no parameters, but x was given.",
  });
});
