import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate, type Tool } from "@wink/prompt";
import { createStore, MemoryStorage } from "@wink/store";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { readRun } from "../run/read-run.js";
import { Run } from "../run/run.js";
import { gate } from "../runtime/call/agent.test.support.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient } from "../runtime/loop/model-client.js";
import { AgentLoop } from "../worker/agent-loop.js";
import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";
import type { RequestReply } from "../worker/request-queue.js";
import { runRequests } from "./run-requests.js";

const PATIENCE = { timeout: 30_000 };
const TURNS = 4;

const askPerson = defineTool({
  name: "ask_person",
  description: "Asks a person.",
  input: z.object({}),
  access: "session",
  effects: "workspace",
  handler: async (_, { park }) =>
    ok(undefined, `They say ${JSON.stringify(await park({ kind: "approval", text: "May I?" }))}.`),
});

/** A model with four turns, the second of which can ask a person. `asked` has the turns that were requested. */
function setup({ asks = false } = {}) {
  const store = createStore(new MemoryStorage());
  const queue = new InMemoryRequestQueue<null>();
  const answers = new InMemoryRequestQueue<RequestReply>();
  const asked: number[] = [];
  const turns = Array.from({ length: TURNS }, () => gate());
  const client: ModelClient = {
    name: "test",
    async ask({ messages }) {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      asked.push(turn);
      await turns[turn]?.promise;
      const call = { toolCallId: `call-${turn}`, toolName: "ask_person", arguments: "{}" };
      const isLast = turn === TURNS - 1;
      return {
        ...{ text: isLast ? "Done." : `Turn ${turn}.`, stopReason: isLast ? "end" : "tool-calls" },
        toolCalls: isLast ? [] : [asks && turn === 1 ? call : { ...call, toolName: "noop" }],
        usage: { inputTokens: 1, outputTokens: 1 },
      } as Awaited<ReturnType<ModelClient["ask"]>>;
    },
  };
  const noop = defineTool({
    ...{
      name: "noop",
      description: "Does nothing.",
      input: z.object({}),
      access: "session",
      effects: "workspace",
    },
    handler: async () => ok(undefined, "Nothing."),
  });
  const tools = [askPerson, noop] as unknown as readonly Tool[];
  const agent = defineAgent({
    prompt: () =>
      new Prompt(
        new PromptTemplate({
          ...{ ns: "tests", key: "runs" },
          sections: [new MarkdownSection({ key: "t", title: "T", template: "Work.", tools })],
        }),
      ).bind({}),
  });
  const open = (id: string, worker: string) =>
    Run.open({ store, id }, { agent, worker, files: { takeOver: "always" } });
  const start = (worker: string) => {
    const loop = new AgentLoop<null>({
      queue,
      handler: runRequests({
        adapter: new ModelAdapter(client),
        run: ({ requestId }) => open(requestId, worker),
      }),
      replies: () => answers,
    });
    const running = loop.run();
    onTestFinished(async () => {
      for (const each of turns) each.open();
      await loop.close({ graceMs: 0 });
      await running;
    });
    return loop;
  };
  return { store, queue, answers, asked, turns, start, open };
}

it("a worker that closes finishes its turn, and another one continues the run (AD-117, AD-120)", async () => {
  const { store, queue, answers, asked, turns, start } = setup();
  await queue.add({ requestId: "r", body: null, replyTo: "answers" });
  const first = start("first");
  turns[0]?.open();
  await vi.waitFor(() => expect(asked).toEqual([0, 1]), PATIENCE);
  const closed = first.close();
  turns[1]?.open();
  await closed;
  expect(asked).toEqual([0, 1]);
  expect(await queue.list()).toMatchObject([{ requestId: "r", state: "waiting", attempt: 0 }]);
  for (const each of turns) each.open();
  start("second");
  await vi.waitFor(async () => expect(await answers.list()).toHaveLength(1), PATIENCE);
  expect(asked).toEqual([0, 1, 2, 3]);
  expect((await answers.list())[0]?.body).toMatchObject({
    requestId: "r",
    outcome: "done",
    result: { run: "r", text: "Done." },
  });
  await using reader = await readRun({ store, id: "r" });
  expect(reader.turns).toHaveLength(TURNS);
});

it("a run that waits for a person ends its request, and continues when it is added again (AD-120)", async () => {
  const { queue, answers, asked, turns, start, open } = setup({ asks: true });
  for (const each of turns) each.open();
  await queue.add({ requestId: "r", body: null, replyTo: "answers" });
  const loop = start("first");
  await vi.waitFor(async () => expect(await answers.list()).toHaveLength(1), PATIENCE);
  expect((await answers.list())[0]?.body).toMatchObject({
    result: { run: "r", parked: [{ text: "May I?" }] },
  });
  await loop.close();
  expect(asked).toEqual([0, 1]);
  {
    await using run = await open("r", "person");
    run.answer(run.parks[0]?.id ?? "", true);
  }
  await queue.add({ requestId: "r", body: null, replyTo: "answers" });
  start("second");
  // The earlier reply was not taken.
  await vi.waitFor(async () => {
    expect(await answers.list()).toMatchObject([{ body: { result: { text: "Done." } } }]);
  }, PATIENCE);
  expect(asked).toEqual([0, 1, 2, 3]);
});

it("a worker whose run was taken over commits nothing and postpones its request (AD-119, AD-120)", async () => {
  const { queue, asked, turns, start, open } = setup();
  await queue.add({ requestId: "r", body: null });
  start("first");
  turns[0]?.open();
  await vi.waitFor(() => expect(asked).toEqual([0, 1]), PATIENCE);
  const other = await open("r", "other");
  for (const each of turns) each.open();
  await vi.waitFor(async () => {
    expect((await queue.list())[0]).toMatchObject({ state: "delayed", attempt: 0 });
  }, PATIENCE);
  await other.close();
});
