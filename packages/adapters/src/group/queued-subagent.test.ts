import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { createStore, MemoryStorage, type Store } from "@wink/store";
import { sqliteStore } from "@wink/store/sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { SqliteRequestQueue } from "../queues/sqlite-request-queue.js";
import { readRun } from "../run/read-run.js";
import { Run } from "../run/run.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import type { AgentLoopEvent } from "../worker/agent-loop-options.js";
import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";
import { defineQueuedSubagentTool } from "./define-queued-subagent-tool.js";
import {
  bookScript,
  call,
  filesOf,
  type Queues,
  type Setup,
  startLoops,
} from "./queued-subagent.test.support.js";

const PATIENCE = { timeout: 60_000 };
const BOOK = {
  "Land.md": "# Land\nThe Land.\n",
  "Sea.md": "# Sea\nThe Sea.\n",
  "book.md": "Book\nChapters\nEnd\n",
};

function inMemory(): Pick<Setup, "store"> & { readonly queues: Queues } {
  const queues = {
    ...{ books: new InMemoryRequestQueue(), chapters: new InMemoryRequestQueue() },
    answers: new InMemoryRequestQueue(),
  } as unknown as Queues;
  return { store: createStore(new MemoryStorage()), queues };
}

/** Runs a book until its reply, and returns what the model read about the chapters. */
async function publish(setup: Setup, budget?: object) {
  const { queues } = setup;
  const { close } = startLoops(setup);
  onTestFinished(close);
  await queues.books.add({ requestId: "book", body: null, replyTo: "answers", ...budget });
  await vi.waitFor(async () => expect(await queues.answers.list()).toHaveLength(1), PATIENCE);
  return (await queues.answers.list())[0]?.body;
}

async function toldAbout(store: Store, toolCallId: string): Promise<string> {
  await using run = await readRun({ store, id: "book" });
  const { answer } = run.calls.findLast((each) => each.toolCallId === toolCallId) ?? {};
  return Object(run.part(answer?.message ?? "")).text;
}

describe("a subagent in a queue", () => {
  it("is processed by its workers while the calling run waits, and is merged when it ends (RUN-23)", async () => {
    const directory = await mkdtemp(join(tmpdir(), "wink-queued-"));
    const file = join(directory, "work.db");
    const queue = (name: string) => new SqliteRequestQueue(file, { name, pollMs: 20 });
    const queues = {
      ...{ books: queue("books"), chapters: queue("chapters"), answers: queue("answers") },
    } as unknown as Queues;
    const store = sqliteStore(file);
    onTestFinished(async () => {
      for (const each of Object.values(queues)) await each.close?.();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    });
    const states: unknown[] = [];
    const onAsk = async (who: string) => {
      if (who !== "publisher")
        states.push(...(await queues.books.list()).map((each) => each.state));
    };
    // Both chapters write the same notes, so one of them is refused.
    const reply = await publish({ store, queues, onAsk });
    expect(reply).toMatchObject({ outcome: "done", result: { text: "The book is done." } });
    expect(states).toContain("delayed");
    const { "notes.txt": notes, ...files } = await filesOf(store, "book");
    const [sea, land] = [await toldAbout(store, "d-Sea"), await toldAbout(store, "d-Land")];
    expect(sea).toContain("Sea is written.");
    expect(sea).toContain("Written: 'Sea.md', 'notes.txt'.");
    expect(land).toContain("The subagent's work was not merged.\nConflict in 'notes.txt'");
    expect(notes).toBe("Sea 0\nSea 1\n");
    expect(files).toEqual({ "Sea.md": BOOK["Sea.md"], "book.md": BOOK["book.md"] });
    await using run = await readRun({ store, id: "book" });
    const changed = run.events.filter(({ type }) => type === "files.change");
    expect(changed.map(({ payload }) => Object(payload).path)).toContain("Sea.md");
    const children = await run.children();
    expect(children).toHaveLength(2);
    for (const child of children) {
      using reader = await child.open();
      expect(reader.header?.parent).toMatchObject({ run: "book", depth: 1 });
      expect(reader.turns).toHaveLength(3);
    }
    expect(run.parks.map(({ kind, isAnswered }) => [kind, isAnswered])).toEqual([
      ["subagent", true],
      ["subagent", true],
    ]);
  });

  it("keeps both versions of a file if the tool says so, and counts in the budget of its caller (RUN-23, RUN-24)", async () => {
    const setup = inMemory();
    const { store, queues } = setup;
    const budget = { budget: { tokens: 1_000, toolCalls: 100 } };
    const limits: unknown[] = [];
    const onAsk = async (who: string) => {
      if (who === "Sea") limits.push((await queues.chapters.list()).map((each) => each.budget));
    };
    await publish({ ...setup, onAsk, tool: { onConflict: "keep-both" } }, budget);
    const files = await filesOf(store, "book");
    expect(files).toEqual({
      ...BOOK,
      "notes.txt": "Sea 0\nSea 1\n",
      "notes.txt.subagent": "Land 0\nLand 1\n",
    });
    // The publisher has used 22 tokens and 4 calls before it starts the first chapter.
    expect(Object(limits[0])[0]).toEqual({ tokens: 489, toolCalls: 48 });
  });

  it("that is a dead letter is a failed call (RUN-24)", async () => {
    const setup = inMemory();
    const script: Setup["script"] = (turn, writes) => {
      if (writes === "Land") throw new Error("secret");
      return bookScript(turn, writes);
    };
    const reply = await publish({ ...setup, script, maxAttempts: 2 });
    expect(reply).toMatchObject({ outcome: "done" });
    expect(await toldAbout(setup.store, "d-Land")).toBe(
      "The subagent could not finish its work (failed).\nNothing that it did was kept.",
    );
    expect(await filesOf(setup.store, "book")).not.toHaveProperty("Land.md");
  });

  it("that waits for a person is not added again, and its caller waits for both (RUN-23)", async () => {
    const setup = inMemory();
    const { store, queues } = setup;
    const script: Setup["script"] = (turn, writes) => {
      if (turn !== 1) return bookScript(turn, writes);
      return writes === undefined
        ? { toolCalls: [call("d-Sea", "write_chapter", { title: "Sea" })] }
        : { toolCalls: [call("ask", "ask_person", {})] };
    };
    const events: string[] = [];
    const onEvent = ({ requestId, type }: AgentLoopEvent) =>
      void events.push(`${requestId} ${type}`);
    const { close } = startLoops({ ...setup, script, onEvent });
    onTestFinished(close);
    await queues.books.add({ requestId: "book", body: null, replyTo: "answers" });
    const chapter = await vi.waitFor(() => {
      const [id = "", what] =
        events.find((each) => /^book\.\w+ finished$/.test(each))?.split(" ") ?? [];
      expect(what).toBe("finished");
      return id;
    }, PATIENCE);
    // The caller has looked for the end of the chapter, and waits on.
    await vi.waitFor(() => {
      expect(events.filter((each) => each === "book given-back").length).toBeGreaterThan(1);
    }, PATIENCE);
    expect(events.filter((each) => each === `${chapter} started`)).toHaveLength(1);
    expect(await queues.chapters.list()).toEqual([]);
    await Run.answer({ store, id: chapter }, "Blue");
    await queues.chapters.add({ requestId: chapter, body: null });
    await vi.waitFor(async () => expect(await queues.answers.list()).toHaveLength(1), PATIENCE);
    expect(await filesOf(store, "book")).toMatchObject({ "Sea.md": "# Sea\n" });
  });

  it("needs a run in a store (RUN-24)", async () => {
    const { queues } = inMemory();
    const errors: unknown[] = [];
    const input = z.object({});
    const tool = defineQueuedSubagentTool({
      ...{ name: "write", description: "Write.", queue: queues.chapters, input },
    });
    const prompt = new Prompt(
      new PromptTemplate({
        ...{ ns: "tests", key: "k" },
        sections: [new MarkdownSection({ key: "t", title: "T", template: "T", tools: [tool] })],
      }),
    ).bind({});
    const adapter = new ScriptedAdapter({
      turns: [{ calls: [{ tool: "write" }] }, { text: "Done." }],
      onError: (error) => errors.push(error),
    });
    await adapter.evaluate(prompt, { session: new Session() });
    expect(String(errors[0])).toContain("the tool needs a run in a store");
    const given = { name: "write", description: "Write.", input };
    expect(() => defineQueuedSubagentTool({ ...given, queue: {} } as never)).toThrow("queue");
  });
});
