import { InMemoryFilesystem } from "@wink/filesystem";
import {
  type AgentEvent,
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { ModelError } from "../error/model-error.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";
import { parseCassette } from "./cassette.js";
import { describeDifference } from "./describe-difference.js";
import { DEFAULT_IGNORED_PATTERNS } from "./ignored-patterns.js";
import { RecordingModel } from "./recording-model.js";
import { ReplayAdapter } from "./replay-adapter.js";

it("a run recorded as JSON replays with the same events, files and output (AD-18)", async () => {
  const { json, ...recorded } = await record();
  const adapter = new ReplayAdapter({ cassette: parseCassette(json) });
  expect(await runWith(adapter, "Write it.")).toEqual(recorded);
  expect(recorded.files).toEqual({ "a.txt": "hello", "b.txt": "world" });
  expect(recorded.response.output).toEqual({ done: true });
});

it("recording the same run gives the same bytes (AD-18)", async () => {
  const { json } = await record();
  const again = await record();
  expect(again.json).toBe(json);
});

it("a replay fails with a diff when the prompt has changed (AD-18)", async () => {
  const { json } = await record();
  const adapter = new ReplayAdapter({ cassette: parseCassette(json) });
  await expect(runWith(adapter, "Write it twice.")).rejects.toMatchObject({
    code: "REQUEST_CHANGED",
    message: expect.stringMatching(
      /request 1: it differs from the recorded one[\s\S]*\n- .*Write it\.[\s\S]*\n\+ .*Write it twice\./,
    ),
  });
});

it("a replay fails when the run makes more requests than were recorded (AD-18)", async () => {
  const { json } = await record();
  const { entries, ...rest } = parseCassette(json);
  const cassette = { ...rest, entries: entries.slice(0, 2) };
  await expect(runWith(new ReplayAdapter({ cassette }), "Write it.")).rejects.toMatchObject({
    code: "CASSETTE_ENDED",
  });
});

it.each([
  "",
  "{",
  "null",
  "{}",
  '{"version":2,"model":"x","entries":[]}',
  '{"version":1,"model":"x","entries":[1]}',
  '{"version":1,"model":"x","entries":[{"request":{},"deltas":[1],"turn":{}}]}',
  '{"version":1,"model":"x","entries":[{"request":{},"deltas":[],"turn":{"text":"x"}}]}',
  '{"version":1,"model":"x","entries":[{"request":{},"deltas":[],"turn":{"text":"","toolCalls":[],"stopReason":"end","usage":{}}}]}',
  '{"version":1,"model":"x","entries":[{"request":null,"deltas":[],"error":{"code":"NETWORK","message":"x"}}]}',
  '{"version":1,"model":"x","entries":[{"request":{},"deltas":[],"error":{"code":"odd","message":"x"}}]}',
])("parseCassette refuses %j (AD-18)", (json) => {
  expect(() => parseCassette(json)).toThrow(/^cassette: it is not /);
});

it("a cassette with error codes in lower case is read (AD-18)", () => {
  const error = { code: "overloaded", message: "the provider is overloaded" };
  const entries = [{ request: {}, deltas: [], error }];
  const { entries: read } = parseCassette(JSON.stringify({ version: 1, model: "x", entries }));
  expect(read[0]?.error).toEqual({ ...error, code: "OVERLOADED" });
});

it("the diff shows the lines that differ, regardless of key order (AD-18)", () => {
  expect(describeDifference({ a: 1, b: 2 }, { b: 2, a: 1 })).toBeUndefined();
  expect(describeDifference({ a: "x\ny", b: 2 }, { a: "x\nz", b: 2 })).toBe(
    ["  {", '    "a": "x\\n', '- y",', '+ z",', '    "b": 2', "  }"].join("\n"),
  );
});

it("the diff shows only the differing parts of long lines and many lines (AD-18)", () => {
  const long = (end: string) => `${"x".repeat(2_000)}${end}${"y".repeat(2_000)}`;
  const many = (word: string) => Array.from({ length: 500 }, () => long(word));
  const difference = describeDifference(many("one"), many("two"));
  expect(difference).toContain("xxxoneyyy");
  expect(difference).toContain("xxxtwoyyy");
  expect(difference?.length).toBeLessThan(30_000);
});

it("a prompt with another duration is not equal to the recorded one (AD-28)", async () => {
  const model = new RecordingModel(liveModel());
  await runWith(new ModelAdapter(model, { retry: { baseDelayMs: 1 } }), "Wait 30 s.");
  const adapter = new ReplayAdapter({ cassette: model.cassette });
  await expect(runWith(adapter, "Wait 60 s.")).rejects.toMatchObject({ code: "REQUEST_CHANGED" });
});

it("concurrent runs replay in any order of their requests (AD-18)", async () => {
  const answers: (() => void)[] = [];
  // Answers after the second request, and the second request first.
  const late: ModelClient = {
    name: "late",
    ask: ({ instructions }) =>
      new Promise((resolve) => {
        const text = JSON.stringify({ done: instructions.includes("first") });
        const usage = { inputTokens: 0, outputTokens: 0 };
        answers.unshift(() => resolve({ text, toolCalls: [], usage, stopReason: "end" }));
        if (answers.length === 2) for (const answer of answers) answer();
      }),
  };
  const model = new RecordingModel(late);
  const live = new ModelAdapter(model);
  await Promise.all([runWith(live, "The first."), runWith(live, "The second.")]);
  const { cassette } = model;
  expect(cassette.entries.map(({ turn }) => turn?.text)).toEqual([
    '{"done":true}',
    '{"done":false}',
  ]);
  const replay = new ReplayAdapter({ cassette });
  expect((await runWith(replay, "The second.")).response.output).toEqual({ done: false });
  expect((await runWith(replay, "The first.")).response.output).toEqual({ done: true });
});

it.each([
  { kind: "times", one: "at 2026-11-16T12:04:40.123Z", other: "at 2027-01-02 03:04" },
  { kind: "durations", one: "took 12 ms", other: "took 1.5 ms" },
  { kind: "short hashes", one: "commit 1a2b3c4 made", other: "commit 99ff00aa11 made" },
  { kind: "long hashes", one: "123456789012", other: "abcdefabcdef0123" },
  {
    kind: "UUIDs",
    one: "id 6f9619ff-8b86-d011-b42d-00c04fc964ff",
    other: "id 00000000-0000-4000-8000-000000000000",
  },
])("$kind count as equal by default (AD-28)", ({ one, other }) => {
  expect(describeDifference({ one }, { one: other }, DEFAULT_IGNORED_PATTERNS)).toBeUndefined();
  expect(describeDifference({ one }, { one: other }, [])).toContain(other);
});

it.each([
  { one: "3 files", other: "4 files" },
  { one: "a facade", other: "a decade" },
  { one: "port 1234567", other: "port 7654321" },
  { one: "1a2b3c4 red", other: "1a2b3c4 blue" },
])("$one is not equal to $other (AD-28)", ({ one, other }) => {
  expect(describeDifference({ one }, { one: other }, DEFAULT_IGNORED_PATTERNS)).toContain(other);
});

it("custom patterns count as equal (AD-28)", () => {
  expect(describeDifference("run-7", "run-12", [/run-\d+/])).toBeUndefined();
});

async function record() {
  const model = new RecordingModel(liveModel());
  const recorded = await runWith(
    new ModelAdapter(model, { retry: { baseDelayMs: 1 } }),
    "Write it.",
  );
  return { json: JSON.stringify(model.cassette, null, 2), ...recorded };
}

/** Simulates a provider. It fails once, streams, and makes two tool calls at a time. */
function liveModel(): ModelClient {
  let asked = 0;
  const turns: (ModelTurn | ModelError)[] = [
    new ModelError("OVERLOADED"),
    {
      text: "I will write.",
      toolCalls: [
        call("c1", { path: "a.txt", text: "hello" }),
        call("c2", { path: "b.txt", text: "world" }),
        call("c3", { path: "../c", text: "" }),
      ],
      usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.1 },
      stopReason: "end",
    },
    {
      text: '{"done":true}',
      toolCalls: [],
      usage: { inputTokens: 20, outputTokens: 3 },
      stopReason: "end",
    },
  ];
  return {
    name: "live",
    async ask(_: ModelRequest, { onText }) {
      const turn = turns[asked++];
      if (turn === undefined) throw new Error("asked too often");
      if (turn instanceof ModelError) throw turn;
      for (const piece of turn.text.match(/.{1,4}/g) ?? []) onText(piece);
      return turn;
    },
  };
}

function call(toolCallId: string, input: unknown) {
  return { toolCallId, toolName: "put", arguments: JSON.stringify(input) };
}

async function runWith(adapter: ModelAdapter, task: string) {
  const filesystem = new InMemoryFilesystem();
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const put = defineTool({
    name: "put",
    description: "Writes a file.",
    input: z.object({ path: z.string(), text: z.string() }),
    access: "write",
    handler: async ({ path, text }, context) => {
      await context.filesystem.write(path, text);
      return ok({ path }, "Written.");
    },
  });
  const template = new PromptTemplate({
    ns: "tests",
    key: "replay",
    output: z.object({ done: z.boolean() }),
    sections: [new Files({ key: "files", title: "Files", template: task, tools: [put] })],
  });
  const events: AgentEvent[] = [];
  const session = new Session();
  const prompt = new Prompt(template).bind({});
  const response = await adapter.evaluate(prompt, {
    session,
    // The delay of a retry is random.
    onEvent: (event) => events.push(event.type === "retry" ? { ...event, delayMs: 0 } : event),
  });
  const files: Record<string, string> = {};
  for (const { path } of await filesystem.glob("*"))
    files[path] = (await filesystem.read(path)).content;
  const logged = session.events.map(({ type }) => type);
  return { response, events, files, logged };
}
