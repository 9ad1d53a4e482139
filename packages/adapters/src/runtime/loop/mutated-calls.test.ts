import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { ScriptedAdapter } from "../../scripted/scripted-adapter.js";
import type { ScriptedCall } from "../../scripted/scripted-turn.js";
import { Note, Notes } from "../call/agent.test.support.js";

const RUNS = Number(
  process.env["WINK_MUTATED_RUNS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 100 : 20),
);
const TURNS = 10;
const CALLS = 20;

it(`${RUNS * TURNS * CALLS} mutated calls cause no unhandled error, invalid ones change nothing, and the answer says how to fix them (F153, F154, F155, AD-2)`, async () => {
  const unhandled: unknown[] = [];
  const listen = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", listen);
  let valid = 0;
  let invalid = 0;
  for (let run = 0; run < RUNS; run++) {
    const { counts, expected, actual, noted } = await runMutated(run);
    expect(actual).toEqual(expected);
    expect(noted).toBe(counts.valid);
    valid += counts.valid;
    invalid += counts.invalid;
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
  expect(valid + invalid).toBe(RUNS * TURNS * CALLS);
  // Both kinds must occur, or the test shows nothing.
  expect(Math.min(valid, invalid)).toBeGreaterThan(RUNS);
});

async function runMutated(seed: number) {
  const random = randomFrom(seed);
  const applied = new Map<string, string>();
  const put = defineTool({
    name: "put_file",
    description: "Writes a file.",
    input: z.strictObject({
      file_path: z.string().regex(/^[a-z0-9/.]{1,20}$/),
      content: z.string(),
      mode: z.enum(["create", "overwrite"]).default("overwrite"),
      options: z.strictObject({ times: z.number().int().min(1).max(3) }).optional(),
    }),
    access: "write",
    async handler({ file_path, content }, { filesystem, session }) {
      session.dispatch(Note({ text: file_path }));
      const { path } = await filesystem.write(file_path, content);
      applied.set(path, content);
      return ok({ path }, "Written.");
    },
  });
  const filesystem = new InMemoryFilesystem();
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const template = new PromptTemplate({
    ns: "tests",
    key: "mutated",
    sections: [new Files({ key: "files", title: "Files", template: "", tools: [put] })],
  });
  const adapter = new ScriptedAdapter({
    turns: (_, index) =>
      index < TURNS ? { calls: Array.from({ length: CALLS }, () => mutatedCall(random)) } : {},
  });
  const session = new Session({ slices: [Notes] });
  await adapter.evaluate(new Prompt(template).bind({}), { session });
  const answers = (adapter.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "tool");
  const counts = { valid: 0, invalid: 0 };
  for (const answer of answers) {
    if (answer.role !== "tool") continue;
    counts[answer.success ? "valid" : "invalid"]++;
    if (answer.success) continue;
    expect(answer.text.length).toBeGreaterThan(20);
    expect(answer.text.length).toBeLessThan(2_500);
    expect(answer.text).toMatch(/^(There is no tool|The input|The arguments|put_file failed: ')/);
  }
  const actual: Record<string, string> = {};
  for (const { path } of await filesystem.glob("*"))
    actual[path] = (await filesystem.read(path)).content;
  const noted = session.slice(Notes).size;
  return { counts, expected: Object.fromEntries(applied), actual, noted };
}

type Random = (limit: number) => number;

function mutatedCall(random: Random): ScriptedCall {
  const file_path = `${"abc"[random(3)]}/${random(20)}.txt`;
  const base: Record<string, unknown> = { file_path, content: `text ${random(1000)}` };
  if (random(2) === 0) base["options"] = { times: 1 + random(3) };
  const tool = random(12) === 0 ? mutateText("put_file", random) : "put_file";
  const kind = random(4);
  if (kind === 0) return { tool, input: base };
  if (kind === 1) return { tool, input: mutateText(JSON.stringify(base), random) };
  return { tool, input: JSON.stringify(mutateValue(base, random)) ?? "" };
}

const STRANGE = [
  null,
  true,
  -1,
  1.5,
  1e308,
  "",
  "../../x",
  "a\u0000b",
  "\ud800",
  [],
  [[]],
  {},
  "٣",
  "x".repeat(5_000),
];

function mutateValue(base: Record<string, unknown>, random: Random): unknown {
  const keys = [...Object.keys(base), "__proto__", "constructor", "mode", "extra", "File_Path"];
  const key = keys[random(keys.length)] ?? "extra";
  const strange = STRANGE[random(STRANGE.length)];
  if (random(15) === 0) return strange;
  if (random(4) === 0)
    return Object.fromEntries(Object.entries(base).filter(([name]) => name !== key));
  return Object.fromEntries([...Object.entries(base), [key, strange]]);
}

function mutateText(text: string, random: Random): string {
  const at = random(text.length);
  const character = String.fromCodePoint(random(3) === 0 ? random(0x2000) : 32 + random(95));
  return (
    [
      text.slice(0, at),
      text.slice(0, at) + text.slice(at + 1),
      text.slice(0, at) + character + text.slice(at),
      text.slice(0, at) + character + text.slice(at + 1),
      text + text,
      "[".repeat(10_000) + text,
    ][random(6)] ?? text
  );
}

/** Deterministic random numbers for a seed (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
