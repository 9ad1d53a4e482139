import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type WorkspaceSection,
} from "@wink/prompt";
import { createStore, MemoryStorage, type Store } from "@wink/store";
import { sqliteStore } from "@wink/store/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type AgentWorkspace, defineAgent } from "../agent/agent.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { readRun } from "./read-run.js";
import { Run } from "./run.js";

const step = defineTool({
  name: "step",
  description: "Does a step.",
  input: z.object({ n: z.number() }),
  access: "write",
  effects: "workspace",
  async handler({ n }, { filesystem, park }) {
    if (n === 3) await park({ kind: "reply", text: "Which way?" });
    await filesystem.write(`steps/${n}`, `${n}`);
    await filesystem.write("last", `${n}`, { mode: "overwrite" });
    if (n === 2) await filesystem.delete("steps/0");
    return ok(undefined, `Step ${n} is done.`);
  },
});

const agent = defineAgent({
  prompt: ({ workspace }) =>
    new Prompt(new PromptTemplate({ ns: "tests", key: "fork", sections: [workspace] })).bind({}),
});

const open = (store: Store, id: string) =>
  Run.open(
    { store, id },
    {
      agent,
      section: (_, filesystem) => {
        const given = { key: "workspace", title: "W", template: "Work.", tools: [step] } as const;
        const section = new MarkdownSection(given);
        return Object.assign(section, { filesystem }) as AgentWorkspace & WorkspaceSection;
      },
    },
  );

function model() {
  return new ScriptedAdapter({
    turns: ({ messages }) => {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      return turn === 5
        ? { text: "Done." }
        : { calls: [{ tool: "step", input: { n: turn }, toolCallId: `call-${turn}` }] };
    },
  });
}

const STORES: Readonly<Record<string, () => Store>> = {
  memory: () => createStore(new MemoryStorage()),
  SQLite: () => {
    const directory = mkdtempSync(join(tmpdir(), "wink-fork-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    return sqliteStore(join(directory, "runs.db"), { synchronous: "normal" });
  },
};

it.each(Object.keys(STORES))(
  "a run in a store of %s is answered, and forked at any event with its files, without its source (RUN-21, RUN-22)",
  async (name) => {
    await using store = (STORES[name] as () => Store)();
    {
      await using run = await open(store, "source");
      await expect(run.continue(model())).rejects.toMatchObject({ code: "PARKED" });
      await expect(Run.answer({ store, id: "source" }, "left")).rejects.toMatchObject({
        code: "LEASE_LOST",
      });
    }
    await Run.answer({ store, id: "source" }, "left");
    await expect(Run.answer({ store, id: "source" }, "left")).rejects.toThrow("waits for nothing");
    await expect(Run.answer({ store, id: "none" }, "left")).rejects.toMatchObject({ code: "LOST" });
    const whole = model();
    {
      await using run = await open(store, "source");
      await run.continue(whole);
    }
    using reader = await readRun({ store, id: "source" });
    const filesOf = async (run: typeof reader, at: number) => {
      const files: Record<string, string> = {};
      for (const each of run.filesAt(at))
        if (each.kind === "file") files[each.path] = new TextDecoder().decode(await each.read());
      return files;
    };
    const last = await filesOf(reader, reader.lastSequence);
    expect(last).toEqual({
      "steps/1": "1",
      "steps/2": "2",
      "steps/3": "3",
      "steps/4": "4",
      last: "4",
    });
    const early = reader.events.findLast(({ type }) => type === "run.end-tool-call")?.sequence ?? 0;
    const before = await filesOf(reader, early - 1);
    // Commits of SQLite are slower, so it is forked at some of the events.
    const every = name === "memory" ? 1 : 7;
    for (let at = 1; at <= reader.lastSequence; at += every) {
      const header = await Run.fork({ store, id: "source" }, `fork-${at}`, { at });
      expect(header).toMatchObject({
        id: `fork-${at}`,
        forkedFrom: { run: "source", sequence: at },
      });
    }
    await store.delete("source");
    for (let at = 1; at <= reader.lastSequence; at += every) {
      await using run = await open(store, `fork-${at}`);
      const fork = model();
      for (const { id, isAnswered } of run.parks) if (!isAnswered) run.answer(id, "left");
      const response = await run.continue(fork).catch((error: unknown) => error);
      // A fork from before the question waits for its own answer.
      if (Object(response).code === "PARKED") {
        for (const { id, isAnswered } of run.parks) if (!isAnswered) run.answer(id, "left");
        await run.continue(fork);
      }
      await run.close();
      using again = await readRun({ store, id: `fork-${at}` });
      expect(await filesOf(again, again.lastSequence), `event ${at}`).toEqual(last);
      const sent = JSON.stringify(fork.requests.at(-1) ?? whole.requests.at(-1));
      expect(sent, `event ${at}`).toBe(JSON.stringify(whole.requests.at(-1)));
      if (at > early) expect(await filesOf(again, early - 1)).toEqual(before);
    }
    await expect(Run.fork({ store, id: "fork-1" }, "fork-8")).rejects.toThrow("already");
  },
);
