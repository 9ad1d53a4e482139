import { expect, it } from "vitest";
import { z } from "zod";
import { readParams } from "./read-params.js";

const schema = z.object({ focus: z.string().default("all"), limit: z.number().default(1) });

it("takes parameters as texts first, so that a text of digits stays one (CL-16)", async () => {
  expect(await readParams(z.object({ version: z.string() }), ["version=1"])).toEqual({
    version: "1",
  });
  expect(await readParams(undefined, ["a=1", "a=2", "b=x=y"])).toEqual({ a: "2", b: "x=y" });
});

it("reads as JSON what fits only as such (CL-16)", async () => {
  expect(await readParams(schema, ["limit=3", "focus=errors"])).toEqual({
    limit: 3,
    focus: "errors",
  });
});

it("leaves as texts what fits as such beside what does not (CL-16)", async () => {
  expect(await readParams(schema, ["limit=3", "focus=7"])).toEqual({ limit: 3, focus: "7" });
});

it("takes what a schema calls otherwise or keeps as it is (CL-16)", async () => {
  const renamed = z.object({ old: z.string() }).transform((given) => ({ now: given.old }));
  expect(await readParams(renamed, ["old=x"])).toEqual({ now: "x" });
  expect(await readParams(z.looseObject({}), ["any=x"])).toEqual({ any: "x" });
});

it.each([
  { given: ["focsu=errors"], message: "The agent takes no parameter focsu." },
  { given: ["limit=many"], message: "Parameter limit does not fit" },
  { given: ["limit"], message: "--param takes name=value" },
  { given: ["=3"], message: "--param takes name=value" },
])("refuses $given with its name (CL-2, CL-16)", async ({ given, message }) => {
  await expect(readParams(schema, given)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
  });
});
