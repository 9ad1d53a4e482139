import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SnapshotableFilesystem, StoredFilesystem } from "@wink/filesystem";
import {
  defineTool,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type Tool,
} from "@wink/prompt";
import { appendAll, defineEvent, defineSlice } from "@wink/session";
import { createStore, MemoryStorage, type Store } from "@wink/store";
import { openStore } from "@wink/store/url";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelTurn } from "../runtime/loop/model-client.js";
import { defineSubagentTool } from "../runtime/subagent/define-subagent-tool.js";
import { readRun } from "./read-run.js";
import { Run } from "./run.js";
import type { RunReader } from "./run-reader.js";

const Note = defineEvent("test.note", z.object({ text: z.string() }));
const Notes = defineSlice({
  name: "test.notes",
  schema: Note.schema,
  reducers: (on) => [on(Note, appendAll)],
});
const session = { slices: [Notes] };

class Files extends MarkdownSection<"files"> {
  readonly filesystem: SnapshotableFilesystem;

  constructor(filesystem: SnapshotableFilesystem, tools: readonly Tool[]) {
    super({ key: "files", title: "Files", template: "Work on the files.", tools });
    this.filesystem = filesystem;
  }
}

const input = z.object({ path: z.string(), text: z.string().default("") });

const write = defineTool({
  ...{ name: "write", description: "Write a file.", input, access: "write" },
  effects: "workspace",
  async handler({ path, text }, { filesystem, session: events }) {
    events.dispatch(Note({ text: `writes ${path}` }));
    const content = text === "large" ? "large ".repeat(20_000) : text;
    await filesystem.write(path, content, { mode: "overwrite" });
    return text === "fails" ? fail("It did not work.") : ok(undefined, `Wrote ${path}.`);
  },
});

function promptOf(filesystem: SnapshotableFilesystem, tools: readonly Tool[] = [write]) {
  const sections = [new Files(filesystem, tools)];
  return new Prompt(new PromptTemplate({ ns: "tests", key: "run", sections })).bind({});
}

function player(steps: readonly Partial<ModelTurn>[]): ModelAdapter {
  const left = [...steps];
  const client: ModelClient = {
    name: "player",
    async ask() {
      const usage = { inputTokens: 10, outputTokens: 5 };
      return { text: "Done.", toolCalls: [], usage, stopReason: "end", ...left.shift() };
    },
  };
  return new ModelAdapter(client);
}

let calls = 0;
function callOf(toolName: string, given: object): Partial<ModelTurn> {
  calls += 1;
  const call = { toolCallId: `call-${calls}`, toolName, arguments: JSON.stringify(given) };
  return { text: "", toolCalls: [call] };
}

/** How the calls ended that were not rolled back. */
function statusesOf({ events }: RunReader): readonly unknown[] {
  return events
    .filter(({ type, rolledBack }) => type === "run.end-tool-call" && rolledBack === undefined)
    .map(({ payload }) => Object(payload).status);
}

async function contentOf(filesystem: SnapshotableFilesystem, path: string): Promise<string> {
  return (await filesystem.read(path)).content;
}

function memoryStore(): Store {
  return createStore(new MemoryStorage());
}

it("a run in a store has its files, events and conversation after it is opened again (STO-49)", async () => {
  const store = memoryStore();
  const first = await Run.open({ store, id: "review-42" }, { session, agent: "reviewer" });
  const steps = [
    callOf("write", { path: "a.txt", text: "one" }),
    callOf("write", { path: "b.txt", text: "fails" }),
    callOf("write", { path: "a.txt", text: "two" }),
  ];
  await player(steps).evaluate(promptOf(first.filesystem), { session: first.session });
  expect(first.id).toBe("review-42");
  const { lastSequence } = first.session.events;
  await first.close();

  await using again = await Run.open({ store, id: "review-42" }, { session });
  expect(await contentOf(again.filesystem, "a.txt")).toBe("two");
  expect(await again.filesystem.exists("b.txt")).toBe(false);
  expect(
    again.session
      .slice(Notes)
      .all()
      .map(({ text }) => text),
  ).toEqual(["writes a.txt", "writes a.txt"]);
  expect(again.header).toMatchObject({ agent: "reviewer", prompt: { name: "tests/run" } });

  using reader = await readRun({ store, id: "review-42" });
  expect(reader.lastSequence).toBeGreaterThanOrEqual(lastSequence);
  expect(statusesOf(reader)).toEqual(["succeeded", "failed", "succeeded"]);
  const ends = reader.events.filter(({ type }) => type === "run.end-tool-call");
  const texts = await Promise.all(
    ends.map(async ({ sequence }) => {
      const bytes = await reader.fileAt(sequence, "a.txt");
      return bytes && Buffer.from(bytes).toString();
    }),
  );
  expect(texts).toEqual(["one", "one", "two"]);
  const undone = await reader.undoneBy(ends[1]?.sequence ?? 0);
  expect(undone?.files).toMatchObject([{ path: "b.txt", type: "added" }]);
  expect((await reader.diff(0, reader.lastSequence)).files).toMatchObject([{ path: "a.txt" }]);
  expect(reader.messagesAt(reader.lastSequence).length).toBeGreaterThan(4);
});

it("a call's files, events, answer and end are visible in the same version (STO-50)", async () => {
  const store = memoryStore();
  await using run = await Run.open({ store, id: "one" }, { session });
  const seen: { files: string; ends: number; outcomes: number }[] = [];
  const watch = defineTool({
    ...{ name: "watch", description: "Look.", input: z.object({}), access: "read" },
    effects: "workspace",
    async handler() {
      const head = await store.read("one");
      const text: Record<"events" | "transcript", string> = { events: "", transcript: "" };
      for (const stream of ["events", "transcript"] as const)
        for await (const page of head?.records(stream) ?? [])
          text[stream] += page.map((each) => Buffer.from(each).toString()).join("\n");
      await using files = await StoredFilesystem.open(store, "one", { readOnly: true });
      seen.push({
        files: (await files.exists("a.txt")) ? await contentOf(files, "a.txt") : "",
        ends: text.events.split('"status":"succeeded"').length - 1,
        outcomes: text.transcript.split('"status":"succeeded"').length - 1,
      });
      return ok(undefined, "Seen.");
    },
  });
  const steps = [
    callOf("watch", {}),
    callOf("write", { path: "a.txt", text: "one" }),
    callOf("watch", {}),
  ];
  const prompt = promptOf(run.filesystem, [write, watch]);
  await player(steps).evaluate(prompt, { session: run.session });
  expect(seen).toEqual([
    { files: "", ends: 0, outcomes: 0 },
    { files: "one", ends: 2, outcomes: 2 },
  ]);
});

it("a call whose commit fails has changed nothing, and the run continues (STO-50)", async () => {
  const store = createStore(new MemoryStorage(), { maxHeadBytes: 100_000 });
  const run = await Run.open({ store, id: "one" }, { session });
  const steps = [
    callOf("write", { path: "a.txt", text: "large" }),
    callOf("write", { path: "b.txt", text: "two" }),
  ];
  await player(steps).evaluate(promptOf(run.filesystem), { session: run.session });
  expect(await run.filesystem.exists("a.txt")).toBe(false);
  await run.close();
  using reader = await readRun({ store, id: "one" });
  expect(statusesOf(reader)).toEqual(["failed", "succeeded"]);
  await using files = await StoredFilesystem.open(store, "one", { readOnly: true });
  expect((await files.glob("**")).map(({ path }) => path)).toEqual(["b.txt"]);
});

it("subagents are recorded in the same head, with their states (STO-51)", async () => {
  const store = memoryStore();
  const run = await Run.open({ store, id: "parent" }, { session });
  const delegate = defineSubagentTool({
    name: "delegate",
    description: "Let a subagent write.",
    input: z.object({}),
    prompt: (_, filesystem) => promptOf(filesystem),
  });
  const steps = [
    callOf("delegate", {}),
    callOf("write", { path: "child.txt", text: "by the child" }),
  ];
  const prompt = promptOf(run.filesystem, [write, delegate]);
  await player(steps).evaluate(prompt, { session: run.session });
  expect(await contentOf(run.filesystem, "child.txt")).toBe("by the child");
  await run.close();
  using reader = await readRun({ store, id: "parent" });
  const [child] = await reader.children();
  using opened = await (child as NonNullable<typeof child>).open();
  expect(opened.header?.parent).toMatchObject({ run: "parent" });
  expect(statusesOf(opened)).toEqual(["succeeded"]);
  const bytes = await opened.fileAt(opened.lastSequence, "child.txt");
  expect(Buffer.from(bytes ?? []).toString()).toBe("by the child");
});

it("another process takes over a run, and the first one cannot commit any more (STO-52)", async () => {
  const store = memoryStore();
  const first = await Run.open({ store, id: "one" }, { session });
  await expect(Run.open({ store, id: "one" }, { session })).rejects.toMatchObject({
    code: "LEASE_LOST",
  });
  const files = { takeOver: "always" } as const;
  await using second = await Run.open({ store, id: "one" }, { session, files });
  const late = callOf("write", { path: "late.txt", text: "one" });
  await player([late])
    .evaluate(promptOf(first.filesystem), { session: first.session })
    .catch(() => {});
  expect(await second.filesystem.exists("late.txt")).toBe(false);
  await first.close().catch(() => {});
  using reader = await readRun({ store, id: "one" });
  expect(reader.calls).toEqual([]);
});

it("a run is named by the URL of its store and its id (STO-53)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wink-stored-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const url = `sqlite:${join(folder, "runs.db")}`;
  const store = await openStore(url);
  const base = await StoredFilesystem.open(store, "base");
  await base.write("readme.md", "hello");
  await base.close();
  const run = await Run.open({ store, id: "one" }, { files: { from: "base" } });
  expect(await contentOf(run.filesystem, "readme.md")).toBe("hello");
  await player([callOf("write", { path: "a.txt", text: "one" })]).evaluate(
    promptOf(run.filesystem),
    { session: run.session },
  );
  await run.close();
  await store.close();
  using reader = await readRun(`${url}#one`);
  expect((await reader.diff(0, reader.lastSequence)).files).toMatchObject([{ path: "a.txt" }]);
  await expect(readRun(`${url}#two`)).rejects.toMatchObject({ code: "RUN_INVALID" });
});
