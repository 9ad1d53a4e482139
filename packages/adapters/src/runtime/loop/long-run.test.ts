import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate, Section } from "@wink/prompt";
import { defineEvent, defineState, Session } from "@wink/session";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openTranscript } from "../../transcript/transcript-file.js";
import { ContextCompacted } from "../context/run-events.js";
import { estimateTokens } from "./count-tokens.js";
import { ModelAdapter } from "./model-adapter.js";
import type { ModelClient, ModelRequest } from "./model-client.js";
import { SUMMARISE } from "./summary-request.js";

const WINDOW_TOKENS = 128_000;
const FILE_CHARACTERS = 20_000;

const PlanStep = defineEvent("tests.plan-step", z.object({ step: z.number() }));
const Plan = defineState({
  name: "tests.plan",
  schema: z.number(),
  initial: 0,
  reducers: (on) => [on(PlanStep, (_, { step }) => step)],
});

/** A section that changes with every turn, like a plan. */
class PlanSection extends Section<"plan", undefined, readonly []> {
  constructor() {
    super({ key: "plan", title: "Plan", slices: [Plan] });
  }

  render(_: unknown, session: Session): string {
    return `Step ${session.state(Plan)} is done.`;
  }
}

/** Reads one file per turn, and ends after the last one. Counts like a provider, and refuses what does not fit. */
function reader(fileCount: number) {
  const requests: ModelRequest[] = [];
  let next = 0;
  const client: ModelClient = {
    name: "reader",
    contextWindowTokens: WINDOW_TOKENS,
    async ask(request) {
      requests.push(request);
      // A provider that counts a fifth more than the estimate.
      const inputTokens = Math.ceil(estimateTokens(request) * 1.2);
      if (inputTokens > WINDOW_TOKENS) throw new Error(`${inputTokens} tokens do not fit`);
      const usage = { inputTokens, outputTokens: 50 };
      const turn = { usage, stopReason: "end", toolCalls: [] } as const;
      if (request.messages.at(-1) === SUMMARISE)
        return {
          ...turn,
          text: `Read up to ${next}.\n<decisions>\n- Keep file ${next}.\n</decisions>`,
        };
      if (next >= fileCount) return { ...turn, text: "All are read." };
      const call = {
        toolCallId: `call-${next}`,
        toolName: "read",
        arguments: `{"path":"${next++}.txt"}`,
      };
      return { ...turn, text: `I look at file ${next}. `.repeat(40), toolCalls: [call] };
    },
  };
  return { client, requests };
}

const read = defineTool({
  name: "read",
  description: "Read a file.",
  input: z.object({ path: z.string() }),
  access: "write",
  handler: async ({ path }, { session }) => {
    const step = Number.parseInt(path, 10);
    session.dispatch(PlanStep({ step }));
    return ok(`${path} `.repeat(FILE_CHARACTERS / (path.length + 1)), `This is ${path}.`);
  },
  render: (text) => text,
});

async function run(fileCount: number) {
  const { client, requests } = reader(fileCount);
  const session = new Session();
  const sections = [
    new MarkdownSection({ key: "task", title: "Task", template: "Read all files.", tools: [read] }),
    new PlanSection(),
  ];
  const template = new PromptTemplate({ ns: "tests", key: "long", sections });
  const directory = mkdtempSync(join(tmpdir(), "wink-long-run-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "transcript.jsonl");
  const transcript = openTranscript(path);
  const response = await new ModelAdapter(client).evaluate(new Prompt(template).bind({}), {
    ...{ session, transcript, maxTurns: 1_000 },
  });
  transcript.close();
  const compactions = session.events.of(ContextCompacted);
  return { response, requests, compactions, path };
}

/** The part of a request that a provider can serve from its cache. */
function stablePart({ instructions, tools, messages }: ModelRequest): string {
  const stable = messages.filter((message) => !("trailing" in message) && message !== SUMMARISE);
  return JSON.stringify([instructions, tools, ...stable]).slice(0, -1);
}

it("an agent reads 400 files of 20 kB through a window of 128,000 tokens, with linear cost (MD-20, MD-21, MD-22)", async () => {
  const half = await run(200);
  const { response, requests, compactions } = await run(400);
  expect(response).toMatchObject({ text: "All are read.", finishReason: "completed" });
  expect(response.usage.turns).toBe(401);
  expect(requests.length).toBeGreaterThan(401);

  // Between two compactions each request starts with the one before it, byte for byte.
  let changes = 0;
  for (const [at, request] of requests.entries()) {
    const before = requests[at - 1];
    if (before !== undefined && !stablePart(request).startsWith(stablePart(before))) changes++;
  }
  const summaries = compactions.filter(({ payload }) => payload.summary !== "");
  // The request for a summary already has the cleared results.
  expect(changes).toBeLessThanOrEqual(compactions.length + summaries.length);
  expect(compactions.length).toBeLessThan(100);

  // Task and plan are in each request, and after a summary also the decisions, word for word.
  expect(summaries.length).toBeGreaterThan(1);
  for (const { instructions, messages } of requests) {
    expect(instructions).toContain("Read all files.");
    const text = JSON.stringify([instructions, messages]);
    expect(text).toMatch(/Step \d+ is done\./);
  }
  const last = requests.at(-1)?.messages[0];
  const decisions = last?.text.match(/Keep file \d+/g) ?? [];
  expect(decisions.length).toBe(summaries.length);

  const cost = (of: typeof half) => of.response.usage.inputTokens;
  expect(cost({ ...half, response }) / cost(half)).toBeLessThan(2.2);
});
