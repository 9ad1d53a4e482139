import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { Run } from "./run.js";

const input = z.object({ line: z.string() });

/** Stops the run in its first call. */
async function setup(effects: "workspace" | "external") {
  const parent = mkdtempSync(join(tmpdir(), "wink-aborted-turn-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const stop = new AbortController();
  const keys: string[] = [];
  const append = defineTool({
    ...{ name: "append", description: "Appends a line.", input },
    access: "write",
    effects,
    async handler({ line }, { filesystem, signal, idempotencyKey }) {
      keys.push(idempotencyKey);
      await filesystem.write("log.txt", `${line}\n`, { mode: "append" });
      if (keys.length === 1) stop.abort(new Error("the worker stops"));
      signal.throwIfAborted();
      return ok(undefined, `Appended ${line}.`);
    },
  });
  const open = async () => {
    const filesystem = new InMemoryFilesystem();
    class Files extends MarkdownSection<"files"> {
      readonly filesystem = filesystem;
    }
    const sections = [
      new Files({ key: "files", title: "Files", template: "Write.", tools: [append] }),
    ];
    const template = new PromptTemplate({ ns: "tests", key: "aborted", sections });
    const agent = defineAgent<undefined, undefined>({
      prompt: () => new Prompt(template).bind({}),
    });
    const options = { agent, params: undefined, filesystem, restoreFiles: true };
    return await Run.open(join(parent, "run"), options);
  };
  const calls = ["one", "two"].map((line) => ({
    ...{ tool: "append", input: { line }, toolCallId: line },
  }));
  {
    await using run = await open();
    const adapter = new ScriptedAdapter({ turns: [{ calls }], onError: () => {} });
    const stopped = run.continue(adapter, { signal: stop.signal });
    await expect(stopped).rejects.toThrow("the worker stops");
    expect(await run.filesystem.exists("log.txt")).toBe(false);
  }
  const run = await open();
  onTestFinished(() => run.close());
  return { run, keys };
}

it("the calls of an aborted run that act only on the workspace are made again when it continues (RUN-17)", async () => {
  const { run, keys } = await setup("workspace");
  const rest = new ScriptedAdapter({ turns: [{ text: "Done." }] });
  const { usage } = await run.continue(rest);
  expect((await run.filesystem.read("log.txt")).content).toBe("one\ntwo\n");
  expect(usage.toolCalls).toBe(2);
  expect(keys[1]).toBe(keys[0]);
  expect(rest.requests[0]?.messages.slice(-2).map(({ text }) => text)).toEqual([
    "Appended one.",
    "Appended two.",
  ]);
});

it("the model reads that the outcome of an aborted call is unknown if it may have acted outside, and a repetition has its key (RUN-17)", async () => {
  const { run, keys } = await setup("external");
  const again = { tool: "append", input: { line: "one" }, toolCallId: "three" };
  const rest = new ScriptedAdapter({ turns: [{ calls: [again] }, { text: "Done." }] });
  await run.continue(rest);
  const [first, second] = rest.requests[0]?.messages.slice(-2).map(({ text }) => text) ?? [];
  expect(first).toContain("It is not known whether it acted outside of the workspace.");
  // It had not started.
  expect(second).toBe("Appended two.");
  expect((await run.filesystem.read("log.txt")).content).toBe("two\none\n");
  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});
