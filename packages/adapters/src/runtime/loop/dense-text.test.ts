import { defineTool, jsonSchema, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { isModelError, ModelError } from "../../error/model-error.js";
import { ModelAdapter } from "./model-adapter.js";
import type { ModelClient, ModelRequest } from "./model-client.js";
import { SUMMARISE } from "./summary-request.js";

const WINDOW_TOKENS = 8_000;
const WORDS = "some words of text ";
const BASE64 = "Qk0Z5vR8xTg2LhY7uW3pN9";
const CHINESE = "的一是在不了有和人这中大";

/** Counts like a tokenizer: a Chinese character has more than one token, and base64 far more than prose. */
function countTokens(text: string): number {
  const weights: readonly (readonly [RegExp, number])[] = [
    [/[a-z ]/g, 0.25],
    [/[A-Z0-9]/g, 0.7],
    [/[\u4e00-\u9fff]/g, 1.3],
    [/[^a-z A-Z0-9\u4e00-\u9fff]/g, 0.6],
  ];
  return weights.reduce((sum, [what, weight]) => sum + (text.match(what)?.length ?? 0) * weight, 0);
}

function tokensIn({ instructions, tools, messages }: ModelRequest): number {
  return Math.ceil(countTokens(instructions + JSON.stringify([tools, messages])));
}

const text = (of: string, length: number) => of.repeat(length / of.length + 1).slice(0, length);

interface Scenario {
  readonly tools: number;
  readonly result: string;
  /** What the model sends to each tool. */
  readonly input: string;
  readonly calls: number;
  readonly windowTokens: number | undefined;
}

async function run({ tools: count, result, input, calls, windowTokens }: Scenario) {
  const properties = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`field_${at}`, { type: "string", description: WORDS }]),
  );
  const tools = Array.from({ length: count }, (_, at) =>
    defineTool({
      ...{ name: `tool_${at}`, description: text(WORDS, 150), access: "read" },
      input: jsonSchema<{ field_0: string }>({ type: "object", properties }),
      handler: () => ok(result, "Done."),
      render: (value: string) => value,
    }),
  );
  const requests: ModelRequest[] = [];
  let turns = 6;
  const client: ModelClient = {
    name: "dense",
    ...(windowTokens !== undefined && { contextWindowTokens: windowTokens }),
    async ask(request) {
      requests.push(request);
      const inputTokens = tokensIn(request);
      if (inputTokens > WINDOW_TOKENS) throw new ModelError("CONTEXT_LENGTH");
      const turn = { usage: { inputTokens, outputTokens: 9 }, stopReason: "end" } as const;
      if (request.messages.at(-1) === SUMMARISE)
        return { ...turn, text: text(CHINESE, 2_000), toolCalls: [] };
      if (turns-- === 0) return { ...turn, text: "Done.", toolCalls: [] };
      const toolCalls = Array.from({ length: calls }, (_, at) => ({
        ...{ toolCallId: `${turns}-${at}`, toolName: `tool_${at % count}` },
        arguments: JSON.stringify({ field_0: input }),
      }));
      return { ...turn, text: "I read on.", toolCalls };
    },
  };
  const template = new PromptTemplate({
    ...{ ns: "tests", key: "dense" },
    sections: [new MarkdownSection({ key: "task", title: "Task", template: "Read.", tools })],
  });
  const given = { session: new Session(), messages: [text(CHINESE, 300)] };
  const ended = new ModelAdapter(client).evaluate(new Prompt(template).bind({}), given);
  return { requests, ended };
}

const dense = { tools: 14, calls: 8, input: "x", result: text(CHINESE, 4_000) };

it.each<[string, Scenario]>([
  ["results", { ...dense, windowTokens: WINDOW_TOKENS }],
  ["results, and an unknown window", { ...dense, windowTokens: undefined }],
  ["arguments", { ...dense, calls: 1, input: text(CHINESE, 3_500), windowTokens: WINDOW_TOKENS }],
  ["base64", { ...dense, result: text(BASE64, 9_000), windowTokens: WINDOW_TOKENS }],
])(
  "a run fits into a small window with many tools and dense text: %s (MD-20)",
  async (_, given) => {
    const { requests, ended } = await run(given);
    expect(await ended).toMatchObject({ text: "Done." });
    const turns = requests.filter(({ messages }) => messages.at(-1) !== SUMMARISE);
    for (const { messages } of turns) expect(JSON.stringify(messages)).toContain(CHINESE.repeat(5));
  },
);

it("a prompt that is too long is refused in the first turn, with the tokens of its parts (MD-25)", async () => {
  const { requests, ended } = await run({ ...dense, tools: 60, windowTokens: WINDOW_TOKENS });
  const error = await ended.catch((thrown: unknown) => thrown);
  expect(isModelError(error, "CONTEXT_LENGTH") && error.reason).toMatch(
    /cannot be shortened\. Estimated tokens: .*definitions of tools \d{4}.*Offer fewer tools/,
  );
  expect(requests).toHaveLength(1);
});
