import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import {
  Budget,
  defineTool,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type Tool,
} from "@wink/prompt";
import { appendAll, defineEvent, defineSlice } from "@wink/session";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { isAdapterError } from "../error/adapter-error.js";
import { ModelError } from "../error/model-error.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient, ModelTurn } from "../runtime/loop/model-client.js";
import { defineSubagentTool } from "../runtime/subagent/define-subagent-tool.js";
import { readRun } from "./read-run.js";
import { Run } from "./run.js";
import type { RunReader } from "./run-reader.js";

const Note = defineEvent("test.note", z.object({ text: z.string() }));
const Notes = defineSlice({
  name: "test.notes",
  schema: Note.schema,
  reducers: (on) => [on(Note, appendAll)],
});

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-run-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

class Files extends MarkdownSection<"files"> {
  readonly filesystem: SnapshotableFilesystem;

  constructor(filesystem: SnapshotableFilesystem, tools: readonly Tool[]) {
    super({ key: "files", title: "Files", template: "Work on the files.", tools });
    this.filesystem = filesystem;
  }
}

const input = z.object({ path: z.string(), text: z.string().default("") });

const write = defineTool({
  ...{ name: "write", description: "Write a file.", input, access: "write" },
  async handler({ path, text }, { filesystem, session }) {
    session.dispatch(Note({ text: `writes ${path}` }));
    await filesystem.write(path, text, { mode: "overwrite" });
    return ok(undefined, `Wrote ${path}.`);
  },
});

const spoil = defineTool({
  ...{ name: "spoil", description: "Write a file, then fail.", input, access: "write" },
  async handler({ path, text }, { filesystem }) {
    await filesystem.write(path, text, { mode: "overwrite" });
    await filesystem.delete("old.txt");
    return fail("It did not work.");
  },
});

/** A shell in the directory of the files, as a container would have. */
function shellIn(directory: string): Tool {
  return defineTool({
    ...{ name: "shell", description: "Run a command.", access: "opaque" },
    input: z.object({ command: z.string() }),
    handler({ command }) {
      const output = execFileSync("sh", ["-c", command], { cwd: directory, encoding: "utf8" });
      return ok(undefined, output);
    },
  });
}

function promptOf(filesystem: SnapshotableFilesystem, tools: readonly Tool[]) {
  const task = new MarkdownSection({ key: "task", title: "Task", template: "Do the work." });
  const sections = [task, new Files(filesystem, tools)];
  return new Prompt(new PromptTemplate({ ns: "tests", key: "run", sections })).bind({});
}

type Step = Partial<ModelTurn> | ModelError;

/** Plays one list of steps for each conversation, by the first words of the prompt's second section. */
function player(
  steps: readonly Step[],
  forSubagents: readonly (readonly Step[])[] = [],
): ModelClient {
  const left = [...steps];
  const waiting = forSubagents.map((each) => [...each]);
  return {
    name: "player",
    async ask({ instructions, messages }, { onText }) {
      const which = /Subagent (\d)/.exec(instructions)?.[1];
      const script = which === undefined ? left : (waiting[Number(which)] ?? []);
      const step = script.shift() ?? { text: `Done after ${messages.length} messages.` };
      if (step instanceof ModelError) throw step;
      if (step.text) onText(step.text);
      const usage = { inputTokens: 10, outputTokens: 5 };
      return { text: "", toolCalls: [], usage, stopReason: "end", ...step };
    },
  };
}

let calls = 0;
const call = (toolName: string, args: object): ModelTurn["toolCalls"][number] => ({
  ...{ toolCallId: `call-${++calls}`, toolName, arguments: JSON.stringify(args) },
});

function shown(reader: RunReader, sequence: number): Record<string, string> {
  const entries = [...reader.filesAt(sequence)].filter(({ kind }) => kind === "file");
  return Object.fromEntries(
    entries.map((entry) => [entry.path, `${Buffer.from(entry.read() as Uint8Array)}`]),
  );
}

const subagent = (which: number) =>
  defineSubagentTool({
    name: `ask_${which}`,
    description: "Let a subagent work.",
    input: z.object({}),
    prompt: (_, filesystem) => {
      const task = new MarkdownSection({
        key: "task",
        title: "Task",
        template: `Subagent ${which}.`,
      });
      const sections = [task, new Files(filesystem, [write, spoil])];
      return new Prompt(new PromptTemplate({ ns: "tests", key: `sub${which}`, sections })).bind({});
    },
  });

/** A run with two subagents, a rollback, a retry and a shell call. Returns its directory. */
async function bigRun(base: string): Promise<string> {
  const workspace = join(base, "workspace");
  mkdirSync(join(workspace, "sub"), { recursive: true });
  writeFileSync(join(workspace, "old.txt"), "old\n");
  writeFileSync(join(workspace, "sub/a.txt"), "one\n");
  const directory = join(base, "run");
  await using run = await Run.open(directory, {
    ...{ workspace, agent: "tester", params: { focus: "all" }, model: "player-1" },
    session: { slices: [Notes] },
  });
  const tools = [write, spoil, subagent(0), subagent(1), shellIn(workspace)];
  const client = player(
    [
      { text: "First.", toolCalls: [call("write", { path: "new.txt", text: "1\n" })] },
      { toolCalls: [call("spoil", { path: "bad.txt", text: "bad\n" })] },
      new ModelError("OVERLOADED"),
      { toolCalls: [call("ask_0", {}), call("ask_1", {})] },
      {
        toolCalls: [
          call("shell", { command: "echo shell > sub/shell.txt; rm sub/a.txt; mkdir void" }),
        ],
      },
      { text: "All done." },
    ],
    [
      [{ toolCalls: [call("write", { path: "from-0.txt", text: "zero\n" })] }],
      [
        { toolCalls: [call("spoil", { path: "x", text: "y" })] },
        { toolCalls: [call("write", { path: "from-1.txt", text: "first\n" })] },
      ],
    ],
  );
  const adapter = new ModelAdapter(client, { retry: { baseDelayMs: 0 }, onError: () => {} });
  const budget = new Budget({ tokens: 10_000 });
  const prompt = promptOf(run.filesystem, tools);
  await adapter.evaluate(prompt, { session: run.session, budget });
  return directory;
}

it("the files of a run give everything at every event, with the workspace deleted (RUN-8, RUN-9, RUN-11)", async () => {
  const base = scratch();
  const directory = await bigRun(base);
  rmSync(join(base, "workspace"), { recursive: true });
  using run = await readRun(directory, { slices: [Notes] });
  expect(run.header).toMatchObject({
    ...{ agent: "tester", params: { focus: "all" }, model: "player-1", adapter: "player" },
    prompt: { name: "tests/run" },
    limits: { maxTurns: 50, budget: { tokens: 10_000 } },
  });

  const start = { "old.txt": "old\n", "sub/a.txt": "one\n" };
  const written = { ...start, "new.txt": "1\n" };
  const merged0 = { ...written, "from-0.txt": "zero\n" };
  const merged = { ...merged0, "from-1.txt": "first\n" };
  const end = {
    "old.txt": "old\n",
    "new.txt": "1\n",
    "from-0.txt": "zero\n",
    "from-1.txt": "first\n",
    "sub/shell.txt": "shell\n",
  };
  const expected: Record<string, string>[] = [];
  let now: Record<string, string> = start;
  for (const event of run.events) {
    if (event.type === "run.end-tool-call") {
      const { tool } = event.payload as { tool: string };
      now = { write: written, spoil: now, ask_0: merged0, ask_1: merged, shell: end }[tool] ?? now;
    }
    expected.push(now);
  }
  expect(run.events.map(({ sequence }) => shown(run, sequence))).toEqual(expected);
  expect([...run.filesAt(run.lastSequence)].find(({ path }) => path === "void")?.kind).toBe(
    "directory",
  );

  const changed = async (from: number, to: number) =>
    (await run.diff(from, to)).files.map(({ type, path }) => `${type} ${path}`);
  expect(await changed(0, run.lastSequence)).toEqual([
    ...["added from-0.txt", "added from-1.txt", "added new.txt"],
    ...["deleted sub/a.txt", "added sub/shell.txt", "added void"],
  ]);
  expect(await (await run.diff(0, run.lastSequence)).toPatch()).toContain("+shell");

  const spoiled = run.calls.find(({ tool }) => tool === "spoil");
  const undone = await run.undoneBy(spoiled?.end ?? 0);
  expect(undone?.files.map(({ type, path }) => `${type} ${path}`)).toEqual([
    "added bad.txt",
    "deleted old.txt",
  ]);
  expect(run.stateAt(spoiled?.start ?? 0)).toBe(run.stateAt(spoiled?.end ?? 0));
  expect(await run.undoneBy(1)).toBeUndefined();

  const last = run.lastSequence;
  expect(run.promptAt(last)?.sections.map(({ path, title }) => [path, title])).toEqual([
    ["task", "Task"],
    ["files", "Files"],
  ]);
  expect(run.promptAt(last)?.tools.map(({ name }) => name)).toEqual([
    "write",
    "spoil",
    "ask_0",
    "ask_1",
    "shell",
  ]);
  const roles = run.messagesAt(last).map(({ role }) => role);
  expect(roles).toEqual([
    ...[
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "tool",
      "assistant",
      "tool",
      "assistant",
    ],
  ]);
  expect(run.messagesAt(last).at(-1)).toMatchObject({ text: "All done." });
  expect(run.turns.map(({ asks, failures }) => [asks.length, failures.length])).toEqual([
    ...[
      [1, 0],
      [1, 0],
      [2, 1],
      [1, 0],
      [1, 0],
    ],
  ]);
  expect(run.budgetAt(last)).toMatchObject({
    usage: { turns: 5, toolCalls: 5, inputTokens: 50 },
    limits: { budget: { tokens: 10_000 } },
  });
  expect(run.budgetAt(1).usage.turns).toBe(0);
  expect(run.sessionAt(last).slice(Notes).all()).toEqual([{ text: "writes new.txt" }]);
  expect(run.sessionAt(1).slice(Notes).all()).toEqual([]);

  const children = await run.children();
  const starts = run.calls.filter(({ tool }) => tool.startsWith("ask_")).map(({ start: at }) => at);
  expect(children.map(({ sequence }) => sequence)).toEqual(starts);
  using second = (await children[1]?.open()) as RunReader;
  expect(second.header).toMatchObject({
    parent: { run: run.header?.id, sequence: starts[1] },
    prompt: { name: "tests/sub1" },
  });
  expect(shown(second, 1)).toEqual(written);
  expect(shown(second, second.lastSequence)).toEqual({ ...written, "from-1.txt": "first\n" });
  expect(second.calls.map(({ tool, answer }) => [tool, answer?.status])).toEqual([
    ["spoil", "failed"],
    ["write", "succeeded"],
  ]);
  expect(second.promptAt(second.lastSequence)?.text).toContain("Subagent 1.");
  expect(second.sessionAt(second.lastSequence).slice(Notes).all()).toEqual([
    { text: "writes from-1.txt" },
  ]);
  expect(readdirSync(directory).sort()).toEqual([
    ...["calls.jsonl", "children", "run.json", "session.jsonl", "store", "transcript.jsonl"],
  ]);
});

it("a run in memory stores its states in its own directory, and only what a call touched (RUN-9)", async () => {
  const directory = join(scratch(), "run");
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`d${at % 30}/f${at}`, `${at}`]),
  );
  const filesystem = new InMemoryFilesystem({ files });
  await using run = await Run.open(directory, { filesystem });
  // Without the directories of objects: the ids, which depend on the time, decide how many are needed.
  const objects = () =>
    readdirSync(join(directory, "store/objects"), { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    ).length;
  const before = objects();
  const adapter = new ModelAdapter(
    player([{ toolCalls: [call("write", { path: "d1/f1", text: "new" })] }]),
  );
  await adapter.evaluate(promptOf(filesystem, [write]), { session: run.session });
  // A blob, two directories, their details and a commit.
  expect(objects() - before).toBeLessThanOrEqual(6);
  using reader = await readRun(directory);
  expect(shown(reader, 0)).toEqual(files);
  expect(shown(reader, reader.lastSequence)).toEqual({ ...files, "d1/f1": "new" });
});

it("a run can be read while it is active, and a reader follows it (RUN-11)", async () => {
  const directory = join(scratch(), "run");
  const filesystem = new InMemoryFilesystem({ files: { "a.txt": "one" } });
  await using run = await Run.open(directory, { filesystem });
  using reader = await readRun(directory);
  expect(shown(reader, reader.lastSequence)).toEqual({ "a.txt": "one" });
  expect(await reader.refresh()).toBe(false);
  const adapter = new ModelAdapter(
    player([{ toolCalls: [call("write", { path: "b.txt", text: "two" })] }]),
  );
  await adapter.evaluate(promptOf(filesystem, [write]), { session: run.session });
  expect(await reader.refresh()).toBe(true);
  expect(shown(reader, reader.lastSequence)).toEqual({ "a.txt": "one", "b.txt": "two" });
  expect(reader.messagesAt(reader.lastSequence).at(-1)).toMatchObject({ role: "assistant" });
});

it("files that change between evaluations are in the states when the run is opened again (RUN-9)", async () => {
  const base = scratch();
  const [workspace, directory] = [join(base, "workspace"), join(base, "run")];
  mkdirSync(workspace);
  const first = await Run.open(directory, { workspace });
  const { id } = first;
  await first.close();
  writeFileSync(join(workspace, "by-hand.txt"), "hand");
  const second = await Run.open(directory, { workspace });
  expect(second.id).toBe(id);
  await second.close();
  using reader = await readRun(directory);
  expect(shown(reader, 0)).toEqual({});
  expect(shown(reader, reader.lastSequence)).toEqual({ "by-hand.txt": "hand" });
});

it("a run without transcript or states says so, and a redacted one is marked (RUN-7, RUN-11)", async () => {
  const directory = join(scratch(), "run");
  const filesystem = new InMemoryFilesystem();
  await using run = await Run.open(directory, { filesystem, transcript: false, states: false });
  expect(existsSync(join(directory, "transcript.jsonl"))).toBe(false);
  using reader = await readRun(run.directory);
  const problem = (() => {
    try {
      return reader.filesAt(0);
    } catch (error) {
      return error;
    }
  })();
  expect(isAdapterError(problem, "STATE_MISSING")).toBe(true);
  const other = join(scratch(), "run");
  await using hidden = await Run.open(other, {
    filesystem: new InMemoryFilesystem(),
    redact: () => "x",
  });
  expect(hidden.header.redacted).toBe(true);
  expect(JSON.parse(readFileSync(join(other, "run.json"), "utf8")).redacted).toBe(true);
});

const FIXTURES = fileURLToPath(new URL("../../../../specs/fixtures/44ebf7e/", import.meta.url));

it("logs and run directories of commit 44ebf7e are read, without states or transcript (RUN-1)", async () => {
  for (const source of ["session.jsonl", "disk-run", "cli-state/sessions"]) {
    const at = join(FIXTURES, source);
    const path = source.endsWith("sessions") ? join(at, readdirSync(at)[0] ?? "") : at;
    using run = await readRun(path);
    expect(run.header).toBeUndefined();
    expect(run.events.filter(({ type }) => type === "files.edit")).toHaveLength(1);
    expect(run.sessionAt(run.lastSequence).sequence).toBeGreaterThan(0);
    expect(() => run.filesAt(1)).toThrow("the run stored no states of its files");
    expect([run.turns, run.messagesAt(run.lastSequence)]).toEqual([[], []]);
  }
});

it("another directory is refused by name (RUN-1)", async () => {
  const base = scratch();
  const rejection = async (path: string) =>
    await readRun(path).then(
      () => "read",
      (error: unknown) => (error as Error).message,
    );
  expect(await rejection(join(base, "none"))).toBe("run: there is nothing here.");
  expect(await rejection(base)).toBe("run: it has no log.");
  writeFileSync(
    join(base, "run.json"),
    '{"format":"wink-run","version":7,"id":"x","startedAt":"x"}',
  );
  expect(await rejection(base)).toBe("run.json: its version is 7. This WINK reads 1.");
  writeFileSync(join(base, "run.json"), "{}");
  expect(await rejection(base)).toBe("run.json: it is not the header of a run.");
});

it("a run whose files record events while it is opened is not taken over by its own process (RUN-8)", async () => {
  const directory = scratch();
  const events: string[] = [];
  const open = () =>
    Run.open(join(directory, "run"), {
      filesystem: (session) => {
        session.dispatch(Note({ text: "mounted" }));
        return new InMemoryFilesystem();
      },
      session: { slices: [Notes] },
    });
  for (const _ of ["created", "opened again"]) {
    await using run = await open();
    events.push(run.session.events.map(({ type }) => type).join(" "));
  }
  expect(events[0]).toBe("test.note run.keep-state");
  expect(events[1]).toMatch(/^test.note run.keep-state test.note run.take-over/);
});
