import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import {
  Budget,
  defineTool,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ModelError } from "../error/model-error.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";
import { Conversations, requestOf, sectionsOf } from "./conversation.js";
import { TranscriptRecords } from "./read-transcript.js";
import { openTranscript } from "./transcript-file.js";
import type { TranscriptEntry } from "./transcript-record.js";

function scratchFile(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-transcript-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "transcript.jsonl");
}

type Step = Partial<ModelTurn> | ModelError;

const call = (
  toolName: string,
  input: object,
  toolCallId = `call-${toolName}`,
): Partial<ModelTurn> => ({
  toolCalls: [{ toolCallId, toolName, arguments: JSON.stringify(input) }],
});

/** A model that plays its steps and keeps the requests it got. */
function player(steps: readonly Step[]) {
  const requests: ModelRequest[] = [];
  const left = [...steps];
  const client: ModelClient = {
    name: "player",
    async ask(request, { onText }) {
      requests.push(structuredClone(request));
      const step = left.shift() ?? { text: "Done." };
      if (step instanceof ModelError) throw step;
      if (step.text) onText(step.text);
      const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 };
      return { text: "", toolCalls: [], usage, stopReason: "end", ...step };
    },
  };
  return { client, requests };
}

function createPrompt() {
  let turns = 0;
  const filesystem = new InMemoryFilesystem({ files: { "a.txt": "one" } });
  const say = defineTool({
    name: "say",
    description: "Say it.",
    input: z.object({ text: z.string() }),
    access: "read",
    handler: ({ text }) => ok(text, `You said ${text}`),
  });
  const spoil = defineTool({
    name: "spoil",
    description: "Write, then fail.",
    input: z.object({}),
    access: "write",
    async handler(_, context) {
      await context.filesystem.write("b.txt", "two");
      throw new Error("spoiled with key sk-12345678901234567890");
    },
  });
  const refuse = defineTool({
    name: "refuse",
    description: "Fail.",
    input: z.object({}),
    access: "read",
    handler: () => fail("No."),
  });
  class Count extends MarkdownSection<"count"> {
    override render() {
      return `Rendered ${++turns} times.`;
    }
  }
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const tools = [say, spoil, refuse];
  const sections = [
    new MarkdownSection({ key: "task", title: "Task", template: "Do it.", tools }),
    new Count({ key: "count", title: "Count", template: "" }),
    new Files({ key: "files", title: "Files", template: "Your files." }),
  ];
  return new Prompt(new PromptTemplate({ ns: "tests", key: "said", sections })).bind({});
}

function read(path: string) {
  const transcript = new TranscriptRecords();
  transcript.add(readFileSync(path, "utf8").split("\n").slice(0, -1));
  const conversations = new Conversations();
  const all = transcript.records;
  for (const record of all) if (record.kind === "ask") conversations.add(record);
  const of = <Kind extends TranscriptEntry["kind"]>(kind: Kind) =>
    all.filter((each): each is TranscriptEntry & { kind: Kind } => each.kind === kind);
  return { transcript, conversations, of, all };
}

it("a transcript has every request and answer, byte for byte (RUN-2)", async () => {
  const path = scratchFile();
  const session = new Session();
  const { client, requests } = player([
    call("say", { text: "hello" }),
    new ModelError("OVERLOADED"),
    {
      ...call("spoil", {}),
      providerData: { anthropic: [{ type: "thinking", thinking: "Hm", signature: "s1" }] },
    },
    call("nothing", {}),
    { text: "All done." },
  ]);
  const adapter = new ModelAdapter(client, {
    retry: { baseDelayMs: 0 },
    prices: { inputUsd: 1, outputUsd: 10 },
    onError: () => {},
  });
  const transcript = openTranscript(path);
  const budget = new Budget({ tokens: 1_000 });
  await adapter.evaluate(createPrompt(), { session, transcript, budget });
  transcript.close();

  const { conversations, of, all, transcript: records } = read(path);
  expect(of("ask").map((ask) => requestOf(records, conversations, ask))).toEqual(requests);
  expect(of("ask").map((ask) => JSON.stringify(requestOf(records, conversations, ask)))).toEqual(
    requests.map((request) => JSON.stringify(request)),
  );
  expect(of("ask").map(({ turn, attempt = 1 }) => [turn, attempt])).toEqual([
    ...[
      [0, 1],
      [1, 1],
      [1, 2],
      [2, 1],
      [3, 1],
    ],
  ]);
  expect(of("failed")).toMatchObject([{ turn: 1, code: "OVERLOADED" }]);
  expect(records.part(of("turn")[1]?.message ?? "")).toMatchObject({
    providerData: { anthropic: [{ thinking: "Hm", signature: "s1" }] },
  });
  expect(of("turn")[0]?.usage).toEqual({
    ...{ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
    costUsd: 0.00006,
  });
  expect(of("outcome").map(({ call: id, status, rolledBack }) => [id, status, rolledBack])).toEqual(
    [
      ["call-say", "succeeded", undefined],
      ["call-spoil", "failed", true],
      ["call-nothing", "unknown", undefined],
    ],
  );
  const errors = JSON.stringify(records.part(of("outcome")[1]?.errors ?? ""));
  expect(errors).toContain("spoiled");
  expect(errors).toContain("transcript.test.ts");
  expect(readFileSync(path, "utf8")).not.toContain("sk-1234");
  expect(of("run")).toMatchObject([
    {
      run: 1,
      prompt: "tests/said",
      adapter: "player",
      limits: { maxTurns: 50, budget: { tokens: 1_000 } },
    },
  ]);
  expect(of("end")).toMatchObject([{ finishReason: "completed", usage: { turns: 4 } }]);
  expect(of("turn").at(-1)?.firstTextAt).toBeGreaterThan(0);
  // Every record knows the event of the log that it followed.
  const numbers = all.map(({ sequence }) => sequence);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(statSync(path).mode & 0o077).toBe(0);
});

it("a transcript shows the prompt by section, and stores an unchanged section once (RUN-3)", async () => {
  const path = scratchFile();
  const session = new Session();
  const { client, requests } = player([call("say", { text: "1" }), call("say", { text: "2" })]);
  const transcript = openTranscript(path);
  await new ModelAdapter(client).evaluate(createPrompt(), { session, transcript });
  transcript.close();
  const { of, transcript: records } = read(path);
  const shown = of("ask").map((ask) => sectionsOf(records, ask));
  expect(shown[1]?.map(({ path: name, title, visibility }) => [name, title, visibility])).toEqual([
    ["task", "Task", "full"],
    ["count", "Count", "full"],
    ["files", "Files", "full"],
  ]);
  expect(shown.map((sections) => sections.map(({ text }) => text).join(""))).toEqual(
    requests.map(({ instructions }) => instructions),
  );
  const lines = readFileSync(path, "utf8");
  expect(lines.split("Do it.")).toHaveLength(2);
  expect(lines.split('"Say it.').length).toBeLessThanOrEqual(2);
});

it("a transcript grows linearly, and a second run on the session has the next number (RUN-4, RUN-5)", async () => {
  const path = scratchFile();
  const session = new Session();
  const turns = (count: number) =>
    player(
      Array.from({ length: count }, (_, at) =>
        call("say", { text: `${at} ${"x".repeat(4_000)}` }, `c${at}`),
      ),
    );
  const sizeAfter = async (count: number) => {
    const transcript = openTranscript(path);
    const adapter = new ModelAdapter(turns(count).client, { maxTurns: 1_000 });
    await adapter.evaluate(createPrompt(), { session, transcript });
    transcript.close();
    return statSync(path).size;
  };
  const first = await sizeAfter(40);
  const { transcript, of } = read(path);
  const distinct = [...transcript.partIds].reduce(
    (sum, id) => sum + Buffer.byteLength(JSON.stringify(transcript.part(id))),
    0,
  );
  expect(first / distinct).toBeLessThan(1.2);
  // The model's turn, the result, and the section that changes each time.
  expect(of("ask").at(-1)?.add).toHaveLength(3);
  await sizeAfter(2);
  expect(
    read(path)
      .of("run")
      .map(({ run }) => run),
  ).toEqual([1, 2]);
});

it("a damaged transcript is refused with its line, and an incomplete last line is removed (RUN-6)", async () => {
  const path = scratchFile();
  const session = new Session();
  const transcript = openTranscript(path);
  await new ModelAdapter(player([]).client).evaluate(createPrompt(), { session, transcript });
  transcript.close();
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n").slice(0, -1);
  const reading = (changed: readonly string[]) => () => new TranscriptRecords().add(changed);
  expect(reading(lines.map((line) => line.replace("Do it.", "Do that.")))).toThrow(
    "line 3: the part does not match its hash",
  );
  expect(reading(lines.slice(1))).toThrow("line 1: the file is not a transcript");
  expect(reading([lines[0]?.replace('"version":1', '"version":9') ?? ""])).toThrow(
    "its version is 9",
  );
  expect(reading([...lines, "{}"])).toThrow("the line is not a record");
  expect(reading([...lines, "{"])).toThrow("the line is not JSON");
  writeFileSync(path, `${text}{"kind":"ask","run`);
  openTranscript(path).close();
  expect(readFileSync(path, "utf8")).toBe(text);
});

it("redacted texts are in no line of the file (RUN-7)", async () => {
  const path = scratchFile();
  const session = new Session();
  const transcript = openTranscript(path, { redact: (text) => text.replaceAll("hello", "[word]") });
  const { client } = player([call("say", { text: "hello" })]);
  await new ModelAdapter(client).evaluate(createPrompt(), { session, transcript });
  transcript.close();
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain("hello");
  expect(text).toContain("You said [word]");
});
