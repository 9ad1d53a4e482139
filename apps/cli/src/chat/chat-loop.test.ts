import { PassThrough } from "node:stream";
import { ModelAdapter, ModelError, type ModelTurn } from "@wink/adapters";
import { Conversation } from "@wink/adapters/run";
import { Budget, MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { chatLoop } from "./chat-loop.js";

/** A chat in which the person types each line when the prompt is shown. */
async function chat(answers: readonly (Partial<ModelTurn> | Error)[], budget?: Budget) {
  const sections = [new MarkdownSection({ key: "role", title: "Role", template: "Help." })];
  const output = z.object({ heard: z.string() });
  const template = new PromptTemplate({ ns: "tests", key: "chat", sections, output });
  let asked = 0;
  const adapter = new ModelAdapter({
    name: "answers",
    async ask() {
      const answer = answers[asked++] ?? {};
      if (answer instanceof Error) throw answer;
      const usage = { inputTokens: 60, outputTokens: 40 };
      return { text: "", toolCalls: [], usage, stopReason: "end", ...answer };
    },
  });
  const prompt = new Prompt(template).bind({});
  const conversation = await Conversation.open({ adapter, prompt, session: new Session() });
  const stdin = new PassThrough();
  const io = memoryIo({ stdin, isTerminal: true });
  const budgets: (Budget | undefined)[] = [];
  const response = chatLoop(
    io,
    conversation as Conversation<unknown>,
    {
      nextBudget() {
        const next = budget && new Budget(budget.limits);
        budgets.push(next);
        return next;
      },
    },
    () => undefined,
  );
  for (let at = 0; at <= answers.length; at++) {
    await vi.waitFor(() => expect(io.err().split("you> █").length).toBeGreaterThan(at + 1), {
      timeout: 60_000,
    });
    stdin.write(at < answers.length ? `message ${at}\r` : "\r");
  }
  return { response: await response, shown: io.err(), budgets };
}

it("a chat continues after an error of the model, shows typed answers and early ends, and sums the usage (MD-33)", async () => {
  const { response, shown } = await chat([
    new ModelError("INVALID_REQUEST", { reason: "400 no such thing" }),
    { text: '{"heard":"one"}' },
    { text: "I will not.", stopReason: "refused" },
    { text: '{"heard":"two"}' },
  ]);
  expect(shown).toContain("400 no such thing");
  expect(shown).toContain("The conversation stays as it is.");
  expect(shown).toContain('"heard": "one"');
  expect(shown).toContain('"heard": "two"');
  expect(response.usage).toMatchObject({ inputTokens: 120, outputTokens: 80, turns: 2 });
});

it("each message of a chat has the whole budget (MD-33)", async () => {
  const answers = [{ text: '{"heard":"one"}' }, { text: '{"heard":"two"}' }];
  const { shown, budgets } = await chat(answers, new Budget({ tokens: 150 }));
  expect(shown).toContain('"heard": "two"');
  expect(budgets.map((budget) => budget?.spent.tokens)).toEqual([100, 100]);
});
