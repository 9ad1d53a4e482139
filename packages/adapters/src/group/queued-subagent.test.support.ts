import { type Filesystem, StoredFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate, type Tool } from "@wink/prompt";
import type { Store } from "@wink/store";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { Run } from "../run/run.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";
import { AgentLoop } from "../worker/agent-loop.js";
import type { AgentLoopEvent } from "../worker/agent-loop-options.js";
import type { RequestQueue, RequestReply } from "../worker/request-queue.js";
import {
  defineQueuedSubagentTool,
  type QueuedSubagentToolOptions,
} from "./define-queued-subagent-tool.js";
import { runRequests } from "./run-requests.js";

const Chapter = z.object({ title: z.string() });
type Params = { readonly params?: Readonly<Record<string, string>> } | null;

export interface Queues {
  readonly books: RequestQueue<Params>;
  readonly chapters: RequestQueue<Params>;
  readonly answers: RequestQueue<RequestReply>;
}

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem, template: string, tools: readonly Tool[]) {
    super({ key: "files", title: "Files", template, tools });
    this.filesystem = filesystem;
  }
}

const append = defineTool({
  name: "append",
  description: "Append a line to a file.",
  input: z.object({ path: z.string(), line: z.string() }),
  access: "write",
  effects: "workspace",
  async handler({ path, line }, { filesystem }) {
    const text = (await filesystem.exists(path)) ? (await filesystem.read(path)).content : "";
    await filesystem.write(path, `${text}${line}\n`, { mode: "overwrite" });
    return ok(undefined, `${path}: ${line}`);
  },
}) as unknown as Tool;

const askPerson = defineTool({
  name: "ask_person",
  description: "Ask a person.",
  input: z.object({}),
  access: "session",
  effects: "workspace",
  async handler(_, { park }) {
    return ok(
      undefined,
      `They say ${JSON.stringify(await park({ kind: "reply", text: "How?" }))}.`,
    );
  },
}) as unknown as Tool;

/** What the model answers depends only on the request. */
export type Script = (turn: number, writes: string | undefined) => Partial<ModelTurn>;

export const call = (id: string, toolName: string, input: object) => ({
  ...{ toolCallId: id, toolName, arguments: JSON.stringify(input) },
});

/** The publisher makes a file, has two chapters written in one turn, and adds the end. A writer has three turns. */
export const bookScript: Script = (turn, writes) => {
  if (writes !== undefined) {
    if (turn === 2) return { text: `${writes} is written.` };
    const line = turn === 0 ? `# ${writes}` : `The ${writes}.`;
    const note = call(`n${turn}`, "append", { path: "notes.txt", line: `${writes} ${turn}` });
    return { toolCalls: [call(`w${turn}`, "append", { path: `${writes}.md`, line }), note] };
  }
  if (turn === 0) return { toolCalls: [call("p0", "append", { path: "book.md", line: "Book" })] };
  if (turn === 1)
    return {
      toolCalls: [
        call("p1", "append", { path: "book.md", line: "Chapters" }),
        ...["Sea", "Land"].map((title) => call(`d-${title}`, "write_chapter", { title })),
      ],
    };
  if (turn === 2) return { toolCalls: [call("p2", "append", { path: "book.md", line: "End" })] };
  return { text: "The book is done." };
};

export interface Setup {
  readonly store: Store;
  readonly queues: Queues;
  readonly script?: Script;
  /** Called with the agent's role and turn before the model answers. */
  readonly onAsk?: (who: string, turn: number, request: ModelRequest) => unknown;
  readonly tool?: Partial<QueuedSubagentToolOptions<string, typeof Chapter>>;
  readonly leaseMs?: number;
  readonly maxAttempts?: number;
  readonly onEvent?: (event: AgentLoopEvent) => void;
}

/** The loops of a publisher and of its writers, which are queued subagents. */
export function startLoops(setup: Setup) {
  const {
    store,
    queues,
    script = bookScript,
    leaseMs = 10_000,
    maxAttempts = 100,
    onEvent,
  } = setup;
  const client: ModelClient = {
    name: "test",
    async ask(request) {
      const [, writes] = /You write (\w+)/.exec(request.instructions) ?? [];
      const turn = request.messages.filter(({ role }) => role === "assistant").length;
      await setup.onAsk?.(writes ?? "publisher", turn, request);
      const usage = { inputTokens: 10, outputTokens: 1 };
      return { text: "", toolCalls: [], stopReason: "end", usage, ...script(turn, writes) };
    },
  };
  const adapter = new ModelAdapter(client);
  const write = defineQueuedSubagentTool({
    ...{ name: "write_chapter", description: "Have a chapter written.", input: Chapter },
    ...{ queue: queues.chapters, replyTo: "books", ...setup.tool },
  }) as unknown as Tool;
  const loop = (queue: RequestQueue<Params>, isPublisher: boolean) =>
    new AgentLoop<Params>({
      ...{ queue, leaseMs, onEvent, onError: () => {}, maxAttempts, waitMs: 200 },
      backOff: { baseDelayMs: 1 },
      // Requests become due in the queue of books, which gets no replies.
      replies: (name) => (name === "books" ? (queues.books as never) : queues.answers),
      handler: runRequests<Params>({
        adapter,
        run: async ({ requestId: id, body }) => {
          let run: Run | undefined;
          const agent = defineAgent<{ title: string }>({
            prompt: ({ params: { title } }) => {
              // The prompt is created by `continue`, when the run is open.
              const { filesystem } = run as Run;
              const text = isPublisher ? "You publish." : `You write ${title}.`;
              const files = new Files(
                filesystem,
                text,
                isPublisher ? [append, write] : [append, askPerson],
              );
              const template = { ns: "tests", key: isPublisher ? "publisher" : "writer" };
              return new Prompt(new PromptTemplate({ ...template, sections: [files] })).bind({});
            },
          });
          const params = { ...body?.params };
          const files = { takeOver: "always" as const, leaseMs };
          run = await Run.open({ store, id }, { agent, params, files });
          return run;
        },
      }),
    });
  const loops = { books: loop(queues.books, true), chapters: loop(queues.chapters, false) };
  const running = Object.values(loops).map((each) => each.run());
  const close = async () => {
    for (const each of Object.values(loops)) await each.close({ graceMs: 0 });
    await Promise.all(running);
  };
  return { loops, close };
}

/** All files of a run. */
export async function filesOf(store: Store, id: string): Promise<Readonly<Record<string, string>>> {
  const filesystem = await StoredFilesystem.open(store, id, { readOnly: true });
  const texts: Record<string, string> = {};
  for (const { path } of await filesystem.glob("**"))
    texts[path] = (await filesystem.read(path)).content;
  await filesystem.close();
  return texts;
}
