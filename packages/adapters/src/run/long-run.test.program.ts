import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Filesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate, Section } from "@wink/prompt";
import { defineEvent, defineState, type Session } from "@wink/session";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ModelError } from "../error/model-error.js";
import { estimateTokens } from "../runtime/loop/count-tokens.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelRequest } from "../runtime/loop/model-client.js";
import { SUMMARISE } from "../runtime/loop/summary-request.js";
import { Run } from "./run.js";

/**
 * Reads files of 20 kB, one per turn, until it is over or killed:
 * `<directory> <files> <window> <kill>`, where kill is `ask:N` or `call:N`, counted in this process.
 */
const [directory = "", fileCount = "0", window = "0", kill = ""] = process.argv.slice(2);
const [phase = "", count = "0"] = kill.split(":");
const FILES = Number(fileCount);
/** What the provider accepts. The adapter assumes 128,000 tokens. */
const WINDOW_TOKENS = Number(window);

const left: Record<string, number> = { [phase]: Number(count) };
function killAt(here: "ask" | "call"): void {
  const rest = left[here];
  if (rest === undefined) return;
  if (rest > 1) left[here] = rest - 1;
  else {
    process.kill(process.pid, "SIGKILL");
    // The signal may take a moment. Block until then.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}

const PlanStep = defineEvent("tests.plan-step", z.object({ step: z.number() }));
const Plan = defineState({
  ...{ name: "tests.plan", schema: z.number(), initial: 0 },
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

const read = defineTool({
  name: "read",
  description: "Read a file.",
  input: z.object({ path: z.string() }),
  ...{ access: "session", effects: "workspace" },
  async handler({ path }, { session, filesystem }) {
    killAt("call");
    const { content } = await filesystem.read(path);
    session.dispatch(PlanStep({ step: Number.parseInt(path, 10) }));
    return ok(content, `This is ${path}.`);
  },
  render: (text) => text,
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem) {
    super({ key: "files", title: "Files", template: "Read all files.", tools: [read] });
    this.filesystem = filesystem;
  }
}

function nextIn({ messages }: ModelRequest): number {
  const last = messages.findLast((message) => message.role === "tool");
  return last === undefined ? 0 : Number(last.toolCallId.slice("call-".length)) + 1;
}

/** Its answers depend only on the request. It counts a fifth more than the estimate, like a provider. */
const client: ModelClient = {
  name: "reader",
  async ask(request) {
    const inputTokens = Math.ceil(estimateTokens(request) * 1.2);
    const hash = createHash("sha256").update(JSON.stringify(request)).digest("hex").slice(0, 16);
    const isRefused = inputTokens > WINDOW_TOKENS;
    const text = JSON.stringify([request.instructions, request.messages]);
    const isPinned = text.includes("Read all files.") && /Step \d+ is done\./.test(text);
    const notes = [isRefused ? "refused" : "fits", isPinned ? "pinned" : "lost"];
    appendFileSync(join(directory, "requests"), `${hash} ${notes.join(" ")}\n`);
    killAt("ask");
    if (isRefused) throw new ModelError("CONTEXT_LENGTH");
    const turn = {
      usage: { inputTokens, outputTokens: 50 },
      stopReason: "end",
      toolCalls: [],
    } as const;
    const next = nextIn(request);
    if (request.messages.at(-1)?.text === SUMMARISE.text)
      return { ...turn, text: `Read up to ${next}.<decisions>- Keep ${next}.</decisions>` };
    if (next >= FILES) return { ...turn, text: "All are read." };
    const call = {
      toolCallId: `call-${next}`,
      toolName: "read",
      arguments: `{"path":"${next}.txt"}`,
    };
    return { ...turn, text: `I look at file ${next}. `.repeat(40), toolCalls: [call] };
  },
};

const workspace = join(directory, "workspace");
if (!existsSync(workspace)) {
  mkdirSync(workspace, { recursive: true });
  for (let at = 0; at < FILES; at++)
    writeFileSync(join(workspace, `${at}.txt`), `${at} `.repeat(20_000 / `${at} `.length));
}
let run: Run<undefined> | undefined;
const agent = defineAgent<undefined, undefined>({
  prompt: () => {
    if (run === undefined) throw new Error("the run is not open");
    const sections = [new Files(run.filesystem), new PlanSection()];
    return new Prompt(new PromptTemplate({ ns: "tests", key: "long", sections })).bind({});
  },
});
run = await Run.open(join(directory, "run"), {
  ...{ agent, workspace, session: { slices: [Plan] }, params: undefined },
});
const adapter = new ModelAdapter(client, { maxTurns: 1_000 });
const { text, usage } = await run.continue(adapter);
await run.close();
process.stdout.write(JSON.stringify({ text, usage }));
