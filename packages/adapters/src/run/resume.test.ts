import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import {
  Budget,
  Deadline,
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
} from "@wink/prompt";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { readRun } from "./read-run.js";
import { type ContinueOptions, Run } from "./run.js";
import type { RunOptions } from "./run-options.js";

const step = defineTool({
  name: "step",
  description: "Does a step.",
  input: z.object({ n: z.number() }),
  access: "write",
  effects: "workspace",
  async handler({ n }, { filesystem, park }) {
    if (n < 0) await park({ kind: "timer", text: "Wait.", until: -n });
    await filesystem.write(`step-${n}`, `${n}`);
    return ok(undefined, `Step ${n} is done.`);
  },
});

function agentWith(text: string) {
  return defineAgent<{ name: string }, undefined>({
    prompt: ({ params }) =>
      new Prompt(
        new PromptTemplate({
          ns: "tests",
          key: "steps",
          sections: [
            new MarkdownSection({
              ...{ key: "task", title: "Task", template: `${text} \${name}`, tools: [step] },
              params: z.object({ name: z.string() }),
            }),
            workspace,
          ],
        }),
      ).bind({ task: params }),
  });
}

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem();

  constructor() {
    super({ key: "files", title: "Files", template: "Work." });
  }
}
let workspace = new Files();

/** A model that makes a step in each turn. Stops the process of `stop` in that turn. */
function model(turns: number, stop?: { readonly at: number; readonly with: AbortController }) {
  return new ScriptedAdapter({
    turns: ({ messages }) => {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      if (turn === stop?.at) stop.with.abort(new Error("stopped"));
      if (turn >= turns) return { text: "Done.", usage: { inputTokens: 10, outputTokens: 0 } };
      const calls = [{ tool: "step", input: { n: turn }, toolCallId: `call-${turn}` }];
      return { calls, usage: { inputTokens: 10, outputTokens: 0 } };
    },
  });
}

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-resume-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "run");
}

/** Opens the run as a new process does: with new files. */
async function open(directory: string, options: Partial<RunOptions<undefined>> = {}) {
  workspace = new Files();
  const { filesystem } = workspace;
  const files = { filesystem, restoreFiles: true };
  const agent = agentWith("Make steps for");
  return await Run.open(directory, { agent, params: { name: "Ada" }, ...options, ...files });
}

/** Runs until the model is asked for turn `at`, and ends as if the process had ended. */
async function runUntil(
  at: number,
  options: ContinueOptions = {},
  settings: Partial<RunOptions<undefined>> = {},
) {
  const directory = place();
  const stop = new AbortController();
  await using run = await open(directory, settings);
  const adapter = model(6, { at, with: stop });
  await expect(run.continue(adapter, { ...options, signal: stop.signal })).rejects.toThrow();
  return { directory, requests: adapter.requests };
}

describe("a run that is continued", () => {
  it("sends the requests of an undisturbed run, with its parameters and files (RUN-15)", async () => {
    await using whole = await open(place());
    const undisturbed = model(6);
    const expected = await whole.continue(undisturbed);
    const { directory, requests } = await runUntil(3);
    await using run = await open(directory, { params: { name: "another" } });
    const rest = model(6);
    expect(await run.continue(rest)).toEqual(expected);
    // Every answer was stored, so no request is repeated.
    const all = [...requests, ...rest.requests];
    expect(JSON.stringify(all)).toBe(JSON.stringify(undisturbed.requests));
    expect(rest.requests[0]?.instructions).toContain("Make steps for Ada");
    expect((await run.filesystem.read("step-5")).content).toBe("5");
    expect(run.filesystem).not.toBe(whole.filesystem);
    expect(run.header.startedBy).toMatchObject({ process: process.pid });
  });

  it("and is over returns its response without a request (RUN-15)", async () => {
    const directory = place();
    const first = await open(directory);
    const expected = await first.continue(model(2));
    await first.close();
    await using run = await open(directory);
    const never = new ScriptedAdapter({ turns: [] });
    expect(await run.continue(never)).toEqual(expected);
    expect(never.requests).toEqual([]);
  });

  it("is refused if its prompt has changed, unless the caller allows it (RUN-18)", async () => {
    const { directory } = await runUntil(2);
    const changed = { agent: agentWith("Do other steps for") };
    await using run = await open(directory, changed);
    await expect(run.continue(model(6))).rejects.toMatchObject({
      code: "AGENT_CHANGED",
      message: expect.stringContaining('Pass onAgentChanged: "continue"'),
    });
    const rest = model(6);
    await run.continue(rest, { onAgentChanged: "continue" });
    expect(rest.requests[0]?.instructions).toContain("Do other steps for Ada");
    expect(rest.requests[0]?.messages).toHaveLength(6);
  });

  it("continues after an attempt that ended before it showed the prompt to a model (RUN-18)", async () => {
    const directory = place();
    const first = await open(directory);
    const failed = first.continue(model(2), { signal: AbortSignal.abort(new Error("too early")) });
    await expect(failed).rejects.toThrow("too early");
    await first.close();
    const changed = await open(directory, { agent: agentWith("Do other steps for") });
    await expect(changed.continue(model(2))).rejects.toMatchObject({ code: "AGENT_CHANGED" });
    await changed.close();
    await using run = await open(directory);
    expect((await run.continue(model(2))).finishReason).toBe("completed");
  });

  it("is refused if its transcript is redacted (RUN-18)", async () => {
    const { directory } = await runUntil(2, {}, { redact: (text) => text });
    await using run = await open(directory);
    await expect(run.continue(model(6))).rejects.toMatchObject({ code: "NOT_RESUMABLE" });
  });

  it("counts its deadline from its start (RUN-19)", async () => {
    const deadline = Deadline.in("1s");
    const { directory } = await runUntil(1, { deadline });
    await vi.waitFor(() => expect(deadline.expired).toBe(true), { timeout: 10_000 });
    await using run = await open(directory);
    const rest = model(6);
    const ended = await run.continue(rest, { deadline: Deadline.in("1h") });
    expect([ended.finishReason, rest.requests]).toEqual(["deadline", []]);
    const renewed = { deadline: Deadline.in("1h"), renewLimits: true };
    expect((await run.continue(rest, renewed)).finishReason).toBe("completed");
  });

  it.each([{ given: () => new Budget({ tokens: 45 }) }, { given: () => undefined }])(
    "counts its budget across processes (RUN-19)",
    async ({ given }) => {
      const { directory } = await runUntil(2, { budget: new Budget({ tokens: 45 }) });
      await using run = await open(directory);
      const rest = model(6);
      const ended = await run.continue(rest, { budget: given() });
      expect(ended).toMatchObject({ finishReason: "budget", usage: { turns: 5, inputTokens: 50 } });
      expect(rest.requests).toHaveLength(2);
    },
  );

  it("names each process in its log (RUN-20)", async () => {
    const { directory } = await runUntil(1);
    const run = await open(directory, { worker: "worker-7" });
    await run.continue(model(2));
    await run.close();
    using reader = await readRun(directory);
    const [event] = reader.events.filter(({ type }) => type === "run.take-over");
    const host = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect(event?.payload).toEqual({ process: process.pid, host, worker: "worker-7" });
  });
});

describe("a fork", () => {
  it("at any event sends the next requests of its source, on the same files (RUN-22)", async () => {
    const directory = place();
    const source = await open(directory);
    const whole = model(4);
    const expected = await source.continue(whole);
    await source.close();
    using reader = await readRun(directory);
    for (let at = 1; at <= reader.lastSequence; at++) {
      const target = place();
      await Run.fork(directory, target, { at });
      await using run = await open(target);
      const fork = model(4);
      const response = await run.continue(fork, { deadline: Deadline.in("1h") });
      expect(response, `event ${at}`).toEqual(expected);
      const tail = whole.requests.slice(whole.requests.length - fork.requests.length);
      expect(JSON.stringify(fork.requests), `event ${at}`).toBe(JSON.stringify(tail));
      expect(run.header).toMatchObject({ forkedFrom: { run: source.id, sequence: at } });
      // The event that renders a prompt comes before its request.
      const asked = reader.transcript.filter(
        ({ kind, sequence }) => kind === "turn" && sequence < at,
      );
      expect(fork.requests, `event ${at}`).toHaveLength(whole.requests.length - asked.length);
    }
    await expect(Run.fork(directory, place(), { at: 10_000 })).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
    });
  });
});

describe("a parked run", () => {
  it("makes no request until it is answered, in any process (RUN-21)", async () => {
    const directory = place();
    const first = await open(directory);
    first.park({ kind: "approval", text: "May it start?", data: { cost: 5 } });
    const never = new ScriptedAdapter({ turns: [] });
    await expect(first.continue(never)).rejects.toMatchObject({
      code: "PARKED",
      message: "run: it waits for an approval (1: May it start?).",
    });
    await first.close();
    await using run = await open(directory);
    const [park] = run.parks;
    const waits = { kind: "approval", text: "May it start?", data: { cost: 5 } };
    expect(park).toEqual({ ...waits, id: "1", since: expect.any(Number), isAnswered: false });
    expect(() => run.answer("2", true)).toThrow("it does not wait for '2'. It waits for: 1");
    run.answer("1", true);
    expect((await run.continue(model(2))).finishReason).toBe("completed");
    expect(never.requests).toEqual([]);
  });

  it("finishes its turn before it waits (RUN-21)", async () => {
    await using run = await open(place());
    const adapter = new ScriptedAdapter({
      turns: [
        () => {
          run.park({ kind: "reply", text: "Stop here." });
          return { calls: [{ tool: "step", input: { n: 1 } }] };
        },
        { text: "Done." },
      ],
    });
    await expect(run.continue(adapter)).rejects.toMatchObject({ code: "PARKED" });
    expect((await run.filesystem.read("step-1")).content).toBe("1");
    run.answer("1", null);
    expect((await run.continue(adapter)).text).toBe("Done.");
    expect(adapter.requests).toHaveLength(2);
  });

  it("continues when its time has come (RUN-21)", async () => {
    const directory = place();
    const until = Date.now() + 60_000;
    const turns = [{ calls: [{ tool: "step", input: { n: -until } }] }, { text: "Done." }];
    const first = await open(directory);
    await expect(first.continue(new ScriptedAdapter({ turns }))).rejects.toMatchObject({
      code: "PARKED",
    });
    await first.close();
    await using run = await open(directory);
    vi.useFakeTimers({ now: until, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const rest = new ScriptedAdapter({ turns: turns.slice(1) });
    expect((await run.continue(rest)).text).toBe("Done.");
    expect((await run.filesystem.read(`step-${-until}`)).content).toBe(`${-until}`);
  });
});
