import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { AgentLoop, defineAgent, InMemoryRequestQueue } from "@wink/adapters";
import { OpenAIAdapter } from "@wink/adapters/openai";
import { Conversation, Run } from "@wink/adapters/run";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { InMemoryFilesystem } from "@wink/filesystem";
import {
  Budget,
  Deadline,
  defineResource,
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
} from "@wink/prompt";
import { createToolContext } from "@wink/prompt/testing";
import { defineState, Session } from "@wink/session";
import { SessionLog } from "@wink/session/jsonl";
import { createStore, MemoryStorage } from "@wink/store";
import { postgresStore } from "@wink/store/postgres";
import { redisStore } from "@wink/store/redis";
import { s3Store } from "@wink/store/s3";
import { sqliteStore } from "@wink/store/sqlite";
import { VfsToolsSection } from "@wink/tools";
import { mountHost, Workspace } from "@wink/workspace";
import { readHistory } from "@wink/workspace/git";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: the table passes wrong options on purpose.
type Options = any;

const directory = mkdtempSync(path.join(tmpdir(), "wink-options-"));
afterAll(async () => {
  await (await workspace).close();
  process.chdir(before);
  rmSync(directory, { recursive: true, force: true });
});
const project = path.join(directory, "project");
mkdirSync(project);
writeFileSync(path.join(project, "a.txt"), "a\n");
// A text may be used as a relative path.
const before = process.cwd();
process.chdir(directory);
let places = 0;
const place = () => path.join(directory, `place-${++places}`);

const memory = () => new InMemoryFilesystem({ files: { "a.txt": "a" } });
const plain = () => new MarkdownSection({ key: "plain", title: "Plain", template: "Do it." });
const template = () => new PromptTemplate({ ns: "x", key: "y", sections: [plain()] });
const prompt = () => new Prompt(template()).bind({});
const agent = () => defineAgent({ prompt: () => prompt() }) as Options;
const scripted = () => new ScriptedAdapter({ turns: [{ text: "done" }] });
const tool = { name: "t", description: "Does t.", input: z.object({}), access: "read" } as const;
const handler = () => ok(1, "Done.");
const mounted = mountHost(memory(), [{ hostPath: project }], { allowedHostRoots: [directory] });
const workspace = Workspace.open(project, { stateDirectory: place() });
const store = (more?: Options) => createStore(new MemoryStorage(), more);
const head = store().open("head");
const bucket = { bucket: "a-bucket", credentials: { accessKeyId: "a", secretAccessKey: "b" } };
const state = { name: "s", schema: z.object({}), initial: {} };

/** Calls with right arguments. Each takes further options, so a wrong one is the only mistake. */
const CALLS: Readonly<Record<string, (more: Options) => unknown>> = {
  InMemoryFilesystem: (more) => new InMemoryFilesystem({ ...more }),
  "filesystem.transact": (more) => memory().transact(async () => {}, more),
  mountHost: (more) =>
    mountHost(memory(), [{ hostPath: project }], { allowedHostRoots: [directory], ...more }),
  "changes().apply": async (more) => (await mounted).changes().apply(more),
  "changes().files": async (more) => (await mounted).changes().files(more),
  "Workspace.open": (more) => Workspace.open(project, { stateDirectory: place(), ...more }),
  "workspace.apply": async (more) => (await workspace).apply(more),
  "workspace.refresh": async (more) => (await workspace).refresh(more),
  "the filter of workspace.refresh": async (more) =>
    (await workspace).refresh({ filter: { ...more } }),
  Session: (more) => new Session({ ...more }),
  defineState: (more) => defineState({ ...state, ...more }),
  "SessionLog.open": (more) => SessionLog.open(place(), { ...more }),
  PromptTemplate: (more) => new PromptTemplate({ ns: "x", key: "y", sections: [], ...more }),
  Prompt: (more) => new Prompt(template(), more),
  MarkdownSection: (more) =>
    new MarkdownSection({ key: "a", title: "A", template: "Text.", ...more }),
  defineTool: (more) => defineTool({ ...tool, handler, ...more }),
  "files of defineTool": (more) => defineTool({ ...tool, handler, files: { ...more } }),
  "examples of defineTool": (more) =>
    defineTool({ ...tool, handler, examples: [{ input: {}, ...more }] }),
  ok: (more) => ok(1, "Done.", more),
  Budget: (more) => new Budget({ tokens: 1 }, more),
  "Deadline.in": (more) => Deadline.in("1m", more),
  defineResource: (more) =>
    defineResource({ name: "r", create: () => 1, close: () => {}, ...more }),
  createToolContext: (more) => createToolContext({ ...more }),
  evaluate: (more) => scripted().evaluate(prompt(), { session: new Session(), ...more }),
  stream: (more) =>
    scripted()
      .stream(prompt(), { session: new Session(), ...more })
      [Symbol.asyncIterator]()
      .next(),
  ScriptedAdapter: (more) => new ScriptedAdapter({ turns: [], ...more }),
  "a turn of a script": (more) => new ScriptedAdapter({ turns: [{ text: "done", ...more }] }),
  "a call of a script": (more) =>
    new ScriptedAdapter({ turns: [{ calls: [{ tool: "t", ...more }] }] }),
  OpenAIAdapter: (more) => new OpenAIAdapter({ model: "m", apiKey: "k", ...more }),
  "retry of an adapter": (more) => new ScriptedAdapter({ turns: [], retry: { ...more } }),
  "limits of an adapter": (more) => new ScriptedAdapter({ turns: [], limits: { ...more } }),
  "prices of an adapter": (more) => new ScriptedAdapter({ turns: [], prices: { ...more } }),
  AgentLoop: (more) =>
    new AgentLoop({ queue: new InMemoryRequestQueue(), handler: async () => {}, ...more }),
  "Run.open": (more) => Run.open(place(), { agent: agent(), filesystem: memory(), ...more }),
  "Run.open in a store": async (more) =>
    Run.open({ store: sqliteStore(place()), id: "r", ...more }, { agent: agent() }),
  "Conversation.open": (more) =>
    Conversation.open({ adapter: scripted(), prompt: prompt(), session: new Session(), ...more }),
  readHistory: (more) => readHistory(project, more),
  createStore: (more) => store({ ...more }),
  sqliteStore: (more) => sqliteStore(place(), more),
  postgresStore: (more) => postgresStore("postgres://localhost/none", more),
  redisStore: (more) => redisStore("redis://localhost", more),
  s3Store: (more) => s3Store({ ...bucket, ...more }),
  "encryption of a store": (more) =>
    store({ encryption: { keys: { a: new Uint8Array(32) }, current: "a", ...more } }),
  "store.open": (more) => store().open("a", more),
  "store.fork": (more) => store().fork("a", "b", more),
  "store.prune": (more) => store().prune(more),
  "store.tenant": (more) => store().tenant("a", more),
  "head.commit": async (more) => (await head).commit({}, more),
  "the changes of a commit": async (more) => (await head).commit(more),
  "head.flush": async (more) => (await head).flush(more),
  "head.place": async (more) => (await head).place([], more),
  "head.records": async (more) =>
    (await head).records("events", more)[Symbol.asyncIterator]().next(),
  "VfsToolsSection.create": (more) => VfsToolsSection.create({ session: new Session(), ...more }),
};

const WRONG: readonly unknown[] = [null, 42, {}, [{}], Symbol("wrong")];

it.each(Object.entries(CALLS))(
  "%s names a misspelt option, and answers options of a wrong type with a typed error",
  { timeout: 60_000 },
  async (_, call) => {
    const misspelt = await failureOf(() => call({ qqqqqqqq: 1 }));
    const message = (misspelt as Error | undefined)?.message ?? "accepted";
    expect(message).toMatch(/unknown option 'qqqqqqqq'\. Options: \w/);
    const names = /Options: ([\w, ]+)/.exec(message)?.[1]?.split(", ") ?? [];
    const [first = ""] = names;
    const similar = await failureOf(() => call({ [`${first}q`]: 1 }));
    expect((similar as Error).message).toContain(`'${first}q'. Did you mean '${first}'?`);
    const problems: string[] = [];
    for (const name of names)
      for (const value of WRONG) {
        const error = await failureOf(() => call({ [name]: value }));
        if (error !== undefined && !isTyped(error))
          problems.push(`${name}: ${String(value?.toString())}: ${String(error)}`);
      }
    expect(problems).toEqual([]);
  },
);

async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    const made = await call();
    const closable = Object(made) as Partial<AsyncDisposable>;
    await closable[Symbol.asyncDispose]?.();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Node's own errors about arguments have a code too, so the class decides. */
function isTyped(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError) && "code" in error;
}
