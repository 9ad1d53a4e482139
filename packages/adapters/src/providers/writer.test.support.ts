import type { ChatCompletionRequest } from "@copilotkit/aimock";
import { InMemoryFilesystem } from "@wink/filesystem";
import {
  type AgentEvent,
  defineTool,
  type EvaluateOptions,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type ProviderAdapter,
  type Tool,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { z } from "zod";
import type { RetryOptions } from "../runtime/loop/ask-model.js";
import type { Script } from "./aimock.test.support.js";

/** Short delays and many attempts, for busy machines. */
export const QUICK: RetryOptions = { baseDelayMs: 1, maxDelayMs: 2, maxAttempts: 30 };

/** An image of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const put = defineTool({
  name: "put",
  description: "Writes a file.",
  input: z.object({ path: z.string(), text: z.string() }),
  access: "write",
  handler: async ({ path, text }, { filesystem }) => {
    await filesystem.write(path, text);
    return ok(undefined, `Wrote ${path}.`);
  },
});

const look = defineTool({
  name: "look",
  description: "Shows a picture.",
  input: z.object({ detail: z.string().optional() }),
  access: "read",
  handler: () => ok(undefined, "One dot.", { images: [{ mediaType: "image/png", data: PIXEL }] }),
});

/** Deletes and writes files, and then fails. */
export const spoil = defineTool({
  name: "spoil",
  description: "Changes files, and fails.",
  input: z.object({}),
  access: "write",
  handler: async (_, { filesystem }) => {
    await filesystem.delete("a.txt");
    await filesystem.write("b.txt", "spoilt");
    await filesystem.write("c.txt", "new");
    return fail("It did not work.");
  },
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem();
}

/** An agent with its own workspace, and everything observable about its run. */
export function writer(...more: readonly Tool[]) {
  const files = new Files({
    key: "files",
    title: "Files",
    template: "Write two files.",
    tools: [put, look, ...more],
  });
  const template = new PromptTemplate({
    ns: "tests",
    key: "writer",
    output: z.object({ count: z.number(), note: z.string().optional() }),
    sections: [files],
  });
  const prompt = new Prompt(template).bind({});
  const session = new Session();
  const events: AgentEvent[] = [];
  return {
    session,
    events,
    run: (adapter: ProviderAdapter, options: Partial<EvaluateOptions> = {}) =>
      adapter.evaluate(prompt, {
        session,
        ...options,
        onEvent: (event) => {
          events.push(comparable(event));
          options.onEvent?.(event);
        },
      }),
    files: async () => {
      const contents: Record<string, string> = {};
      for (const { path } of await files.filesystem.glob("*"))
        contents[path] = (await files.filesystem.read(path)).content;
      return contents;
    },
  };
}

/** The event without the random delay of a retry, and without the id of the answer. */
function comparable(event: AgentEvent): AgentEvent {
  if (event.type === "turn-finished") return { ...event, answer: undefined };
  return event.type === "retry" ? { ...event, delayMs: 0 } : event;
}

export const ANSWER = '{"count":2,"note":"a note that is long enough to come in many pieces"}';
export const OUTPUT = JSON.parse(ANSWER);
const USAGE = {
  ...{ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  ...{ input_tokens: 20, output_tokens: 10 },
};

/**
 * Two concurrent calls, and then the answer. It depends only on the request, so a repeated
 * request gets the same answer.
 */
export const writesTwoFiles: Script = (request) =>
  answersIn(request) === 0
    ? {
        content: "I will write two files for you now, one after the other.",
        toolCalls: [
          { id: "call_a", name: "put", arguments: '{"path":"a.txt","text":"hello"}' },
          { id: "call_b", name: "put", arguments: '{"path":"b.txt","text":"world"}' },
        ],
        usage: USAGE,
      }
    : { content: ANSWER, usage: USAGE };

/** The same, with a call in between that changes files and fails. */
export const writesFailsAndEnds: Script = (request) =>
  answersIn(request) === 2
    ? {
        content: "Now one call that fails.",
        toolCalls: [{ id: "call_c", name: "spoil", arguments: "{}" }],
        usage: USAGE,
      }
    : writesTwoFiles(request);

/** How many calls were answered so far. */
export function answersIn({ messages }: ChatCompletionRequest): number {
  return messages.filter(({ role }) => role === "tool").length;
}
