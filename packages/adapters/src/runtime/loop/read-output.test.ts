import { expect, it } from "vitest";
import { z } from "zod";
import { readOutput } from "./read-output.js";

const output = { schema: z.object({ a: z.unknown() }) } as never;

it.each([
  '{"a":1}',
  '```json\n{"a":1}\n```',
  '```\n{"a":1}\n```',
  ' \n```json \n\n {"a":1} \n\n  ``` \n',
])("a final answer is parsed with or without a code fence: %j (AD-56)", async (text) => {
  expect(await readOutput(text, output)).toEqual({ success: true, value: { a: 1 } });
});

it.each(['```json {"a":1} ```', '```json\n{"a":1}```', '```json\n{"a":1}', "```", "``````", "{"])(
  "a final answer with half a code fence, or without JSON, is refused: %j (AD-56)",
  async (text) => {
    expect(await readOutput(text, output)).toMatchObject({ success: false });
  },
);

it("a final answer that is nested too deep is refused, but brackets in strings do not count (AD-57)", async () => {
  const deep = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(await readOutput(deep(199), output)).toMatchObject({ success: true });
  const refused = await readOutput(deep(200), output);
  expect(refused).toMatchObject({ success: false });
  expect(refused).toHaveProperty("problem", expect.stringContaining("more than 200 levels deep"));
  const text = JSON.stringify({ a: `\\"${"[".repeat(1_000)}` });
  expect(await readOutput(text, output)).toMatchObject({ success: true });
});
