import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ReplayAdapter } from "../replay/replay-adapter.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelRequest } from "../runtime/loop/model-client.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { readCassette } from "./recorded-cassette.js";
import { Run } from "./run.js";

const TURNS = 30;

/** Every third result is long, every seventh goes to a file. */
const read = defineTool({
  name: "read",
  description: "Read a file.",
  input: z.object({ n: z.number() }),
  access: "read",
  effects: "workspace",
  handler: ({ n }) => {
    const length = n % 7 === 6 ? 6_000 : n % 3 === 2 ? 2_500 : 600;
    return ok(`${n} `.repeat(length / `${n} `.length), `File ${n}.`);
  },
  render: (text) => text,
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem();

  constructor() {
    super({ key: "files", title: "Files", template: "Read all files.", tools: [read] });
  }
}

/** Opens the run as a new process does: with new files. */
async function open(directory: string) {
  const files = new Files();
  const agent = defineAgent<undefined, undefined>({
    prompt: () => {
      const template = new PromptTemplate({ ns: "tests", key: "reader", sections: [files] });
      return new Prompt(template).bind({});
    },
  });
  const { filesystem } = files;
  const run = await Run.open(directory, {
    agent,
    params: undefined,
    filesystem,
    restoreFiles: true,
  });
  return { run, filesystem };
}

/** What it answers depends only on the request. It stops the process at request `stop`. */
function reader(stop?: { readonly at: number; readonly with: AbortController }) {
  const requests: string[] = [];
  const client: ModelClient = {
    name: "reader",
    contextWindowTokens: 8_000,
    async ask(request) {
      requests.push(JSON.stringify(request));
      if (requests.length - 1 === stop?.at) {
        stop.with.abort(new Error("stopped"));
        await new Promise(() => {});
      }
      const n = nextIn(request);
      const isSummary = request.messages.at(-1)?.text.startsWith("The conversation is about");
      const usage = { inputTokens: Math.ceil(JSON.stringify(request).length / 4), outputTokens: 9 };
      const turn = { usage, stopReason: "end", toolCalls: [] } as const;
      if (isSummary) return { ...turn, text: `Up to ${n}.<decisions>Keep ${n}</decisions>` };
      if (n >= TURNS) return { ...turn, text: "Done." };
      const call = { toolCallId: `call-${n}`, toolName: "read", arguments: `{"n":${n}}` };
      return { ...turn, text: `Now file ${n}. `.repeat(8), toolCalls: [call] };
    },
  };
  const adapter = new ModelAdapter(client, {
    context: { keepResults: 2, maxResultCharacters: 5_000 },
  });
  return { adapter, requests };
}

function nextIn({ messages }: ModelRequest): number {
  const last = messages.findLast((message) => message.role === "tool");
  return last === undefined ? 0 : Number(last.toolCallId.slice("call-".length)) + 1;
}

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-resume-context-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "run");
}

it("a run with cleared results and summaries sends the same requests after each stop, and replays (MD-23, MD-24)", async () => {
  const directory = place();
  const whole = await open(directory);
  const undisturbed = reader();
  await whole.run.continue(undisturbed.adapter);
  const { requests } = undisturbed;
  const all = requests.join("\n");
  expect(all).toContain("was removed to save space. Call read_result with");
  expect(all).toContain("The conversation is about to be shortened");
  expect(all).toContain("## Decisions that stay valid");
  expect(all).toContain("All of it is in '.wink/results/call-6.txt'.");
  expect((await whole.filesystem.read(".wink/results/call-6.txt")).content).toContain("6 6 6");
  await whole.run.close();

  for (let at = 1; at < requests.length; at += 13) {
    const stopped = place();
    const stop = new AbortController();
    const first = await open(stopped);
    const { adapter } = reader({ at, with: stop });
    await expect(first.run.continue(adapter, { signal: stop.signal })).rejects.toThrow();
    await first.run.close();
    const second = await open(stopped);
    const rest = reader();
    await second.run.continue(rest.adapter);
    await second.run.close();
    expect(rest.requests, `stopped at request ${at}`).toEqual(requests.slice(at));
  }

  const replayed = await open(place());
  const replay = new ReplayAdapter({ cassette: await readCassette(directory) });
  expect((await replayed.run.continue(replay)).text).toBe("Done.");
  await replayed.run.close();
});

it("read_result shows a result again that the model cannot see (MD-24)", async () => {
  const { run } = await open(place());
  const call = (n: number) => ({ tool: "read", input: { n }, toolCallId: `call-${n}` });
  const again = { tool: "read_result", input: { tool_call_id: "call-2", offset: 2_000 } };
  const turns = [
    ...[2, 5, 8, 11, 14, 17, 20, 23].map((n) => ({ calls: [call(n)] })),
    { calls: [again, { ...again, input: { tool_call_id: "call-99" } }] },
    { text: "Done." },
  ];
  const adapter = new ScriptedAdapter({ turns, context: { windowTokens: 8_000, keepResults: 2 } });
  await run.continue(adapter);
  await run.close();
  const [shown, unknown] = adapter.requests.at(-1)?.messages.slice(-2) ?? [];
  expect(shown?.text).toMatch(/^Characters from 2000 of 2,5\d\d\.\n\n( 2)+/);
  expect(unknown?.text).toBe('No result is stored for a call "call-99".');
});
