import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate, type Tool } from "@wink/prompt";
import { ToolCalls } from "@wink/prompt/adapter";
import { appendAll, defineEvent, defineSlice } from "@wink/session";
import { openStore } from "@wink/store/url";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";
import { defineSubagentTool } from "../runtime/subagent/define-subagent-tool.js";
import { Run } from "./run.js";

/** Where the files of a run are while it works. */
export type Backend = "host" | "memory" | "store";

const Note = defineEvent("test.note", z.object({ text: z.string() }));
const Notes = defineSlice({
  name: "test.notes",
  schema: Note.schema,
  reducers: (on) => [on(Note, appendAll)],
});

const append = defineTool({
  name: "append",
  description: "Append a line to a file.",
  input: z.object({ path: z.string(), line: z.string() }),
  access: "write",
  effects: "workspace",
  async handler({ path, line }, { filesystem, session }) {
    session.dispatch(Note({ text: `begin ${line}` }));
    const text = (await filesystem.exists(path)) ? (await filesystem.read(path)).content : "";
    await filesystem.write(path, `${text}${line}\n`, { mode: "overwrite" });
    session.dispatch(Note({ text: `end ${line}` }));
    return ok(undefined, `${path} has ${text.split("\n").length} lines.`);
  },
});

const look = defineTool({
  name: "look",
  description: "Read a file.",
  input: z.object({ path: z.string() }),
  access: "read",
  effects: "workspace",
  async handler({ path }, { filesystem }) {
    const text = (await filesystem.exists(path)) ? (await filesystem.read(path)).content : "";
    return ok(undefined, `${path}: ${JSON.stringify(text)}`);
  },
});

const askPerson = defineTool({
  name: "ask_person",
  description: "Ask a person for approval.",
  input: z.object({ question: z.string() }),
  access: "session",
  effects: "workspace",
  async handler({ question }, { park, session }) {
    const answer = await park({ kind: "approval", text: question });
    session.dispatch(Note({ text: `answer ${JSON.stringify(answer)}` }));
    return ok(undefined, `The person says ${JSON.stringify(answer)}.`);
  },
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem, template: string, tools: readonly Tool[]) {
    super({ key: "files", title: "Files", template, tools });
    this.filesystem = filesystem;
  }
}

const tools = [append, look, askPerson] as unknown as readonly Tool[];

const child = defineSubagentTool({
  name: "delegate",
  description: "Delegates work.",
  input: z.object({ name: z.string() }),
  prompt: ({ name }, filesystem) =>
    new Prompt(
      new PromptTemplate({
        ns: "tests",
        key: "child",
        sections: [new Files(filesystem, `You are the subagent ${name}.`, tools)],
      }),
    ).bind({}),
});

/** An agent with custom tools, a subagent, feedback, an approval and a typed output. */
function agentFor(filesystem: () => Filesystem) {
  return defineAgent<Readonly<Record<string, never>>, { summary: string }>({
    prompt: () =>
      new Prompt(
        new PromptTemplate({
          ns: "tests",
          key: "parent",
          output: z.object({ summary: z.string() }),
          sections: [
            new Files(filesystem(), "You are the parent.", [...tools, child as unknown as Tool]),
            new MarkdownSection({
              key: "many",
              title: "Many notes",
              template: "There are many notes now.",
              enabled: (_, session) => session.slice(Notes).size > 20,
            }),
          ],
          feedback: [
            {
              name: "every-five",
              trigger: ({ toolCallsSince }) => toolCallsSince >= 5,
              provide: ({ toolCalls }) => `You made ${toolCalls} calls.`,
            },
          ],
        }),
      ).bind({}),
  });
}

const TURNS = Number(process.env["WINK_RESUME_TURNS"] ?? 40);

/** What the model answers depends only on the request. */
function answerTo({ instructions, messages }: ModelRequest): Pick<ModelTurn, "text" | "toolCalls"> {
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const call = (index: number, toolName: string, input: object) => ({
    ...{ toolCallId: `call-${turn}-${index}`, toolName, arguments: JSON.stringify(input) },
  });
  const isChild = instructions.includes("You are the subagent");
  if (isChild) {
    if (turn === 4) return { text: `The subagent is done after ${turn} turns.`, toolCalls: [] };
    const calls = [call(0, "append", { path: "child.txt", line: `child ${turn}` })];
    if (turn === 2) calls.push(call(1, "ask_person", { question: "May the subagent go on?" }));
    return { text: "", toolCalls: calls };
  }
  if (turn >= TURNS - 2)
    return { text: turn === TURNS - 2 ? "Not JSON." : '{"summary":"Done."}', toolCalls: [] };
  if (turn === Math.floor(TURNS / 2))
    return { text: "", toolCalls: [call(0, "ask_person", { question: "May I go on?" })] };
  if (turn === Math.floor(TURNS / 4))
    return { text: "", toolCalls: [call(0, "delegate", { name: "helper" })] };
  const path = `file-${turn % 3}.txt`;
  const write = call(0, "append", { path, line: `parent ${turn}` });
  const reads = [call(1, "look", { path }), call(2, "look", { path: "child.txt" })];
  return { text: `Turn ${turn}.`, toolCalls: turn % 3 === 0 ? [write, ...reads] : [write] };
}

/** A model that writes the hash of each request to a file before it answers. */
function loggingModel(file: string): ModelClient {
  return {
    name: "test",
    async ask(request) {
      const json = JSON.stringify(request);
      const hash = createHash("sha256").update(json).digest("hex").slice(0, 16);
      appendFileSync(file, `${hash} ${request.messages.length}\n`);
      if (process.env["WINK_RESUME_DEBUG"]) appendFileSync(`${file}.full`, `${json}\n`);
      const usage = { inputTokens: 10, outputTokens: 1 };
      return { ...answerTo(request), usage, stopReason: "end" };
    },
  };
}

export interface ResumePlace {
  readonly workspace: string;
  readonly run: string;
  readonly requests: string;
  readonly result: string;
}

export function resumePlace(directory: string): ResumePlace {
  const [workspace = "", run = "", requests = "", result = ""] = [
    ...["workspace", "run", "requests", "result.json"].map((name) => join(directory, name)),
  ];
  mkdirSync(workspace, { recursive: true });
  return { workspace, run, requests, result };
}

/** The files of a run on this machine: a directory, or a new filesystem in memory. */
async function filesOn(place: ResumePlace, backend: Exclude<Backend, "store">) {
  if (backend === "host") {
    if (!existsSync(place.run)) writeFileSync(join(place.workspace, "file-0.txt"), "first\n");
    return { workspace: place.workspace };
  }
  const filesystem = new InMemoryFilesystem();
  await filesystem.write("file-0.txt", "first\n");
  return { filesystem, restoreFiles: true };
}

/**
 * Continues the run of a place in this process. Answers what it waits for first. Writes the result if the run is over.
 */
export async function continueOnce(
  place: ResumePlace,
  backend: Backend,
  url = "",
): Promise<string> {
  let run: Run<{ summary: string }> | undefined;
  const agent = agentFor(() => {
    if (run === undefined) throw new Error("the run is not open");
    return run.filesystem;
  });
  const session = { slices: [Notes] };
  await using store = backend === "store" ? await openStore(url) : undefined;
  run =
    store === undefined
      ? await Run.open(place.run, {
          ...(await filesOn(place, backend === "memory" ? "memory" : "host")),
          ...{ agent, session },
        })
      : // The id is the directory, so that every round has its own run.
        await Run.open(
          { store, id: place.run },
          {
            ...{ agent, session, files: { takeOver: "always" as const } },
            fill: async (filesystem) => void (await filesystem.write("file-0.txt", "first\n")),
          },
        );
  try {
    for (const { id, isAnswered } of run.parks) if (!isAnswered) run.answer(id, { approved: id });
    const adapter = new ModelAdapter(loggingModel(place.requests), {
      onError: (error, where) => process.stderr.write(`${where}: ${String(error)}\n`),
    });
    const { output, usage, finishReason } = await run.continue(adapter);
    const notes = run.session.slice(Notes).all();
    const texts: Record<string, string> = {};
    for (const path of await run.filesystem.glob("**"))
      texts[path.path] = (await run.filesystem.read(path.path)).content;
    const calls = run.session.state(ToolCalls);
    const result = { output, usage, finishReason, notes, texts, calls };
    writeFileSync(place.result, JSON.stringify(result));
    return "done";
  } catch (error) {
    if (Object(error).code === "PARKED") return "parked";
    throw error;
  } finally {
    await run.close();
  }
}

/** The hashes of the requests. A request that was repeated because its answer was not stored counts once. */
export function requestsOf({ requests }: ResumePlace): readonly string[] {
  const lines = readFileSync(requests, "utf8").split("\n").filter(Boolean);
  return lines.filter((line, at) => line !== lines[at - 1]);
}
