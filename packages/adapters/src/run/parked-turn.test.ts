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

const acted: string[] = [];

const input = z.object({ line: z.string() });
const append = defineTool({
  ...{ name: "append", description: "Appends a line.", input },
  access: "write",
  effects: "workspace",
  async handler({ line }, { filesystem }) {
    await filesystem.write("log.txt", `${line}\n`, { mode: "append" });
    return ok(undefined, `Appended ${line}.`);
  },
});
const ask = defineTool({
  ...{ name: "ask", description: "Asks a person for a line.", input },
  access: "write",
  effects: "workspace",
  async handler({ line }, { filesystem, park }) {
    const answer = await park({ kind: "reply", text: line });
    await filesystem.write("log.txt", `${answer}\n`, { mode: "append" });
    return ok(undefined, `The person says ${answer}.`);
  },
});
const send = defineTool({
  ...{ name: "send", description: "Sends a mail.", input },
  access: "opaque",
  handler({ line }) {
    acted.push(line);
    return ok(undefined, `Sent ${line}.`);
  },
});

async function open(directory: string) {
  const filesystem = new InMemoryFilesystem();
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const tools = [append, ask, send];
  const sections = [new Files({ key: "files", title: "Files", template: "Write.", tools })];
  const template = new PromptTemplate({ ns: "tests", key: "order", sections });
  const agent = defineAgent<undefined, undefined>({ prompt: () => new Prompt(template).bind({}) });
  return await Run.open(directory, { agent, params: undefined, filesystem, restoreFiles: true });
}

it("the calls after one that waits are made again with it, so that the turn keeps its order (RUN-21)", async () => {
  const parent = mkdtempSync(join(tmpdir(), "wink-parked-turn-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const directory = join(parent, "run");
  const calls = [
    ...[
      ["append", "one"],
      ["ask", "two?"],
      ["append", "three"],
      ["send", "mail"],
      ["ask", "four?"],
    ],
  ].map(([tool = "", line = ""]) => ({ tool, input: { line }, toolCallId: line }));
  const log = async ({ filesystem }: Run<undefined>) => (await filesystem.read("log.txt")).content;
  {
    await using run = await open(directory);
    const waits = run.continue(new ScriptedAdapter({ turns: [{ calls }] }));
    await expect(waits).rejects.toMatchObject({ code: "PARKED" });
    expect(await log(run)).toBe("one\n");
    expect(acted).toEqual([]);
    // The second question is asked too, because it acts only on the workspace.
    expect(run.parks.map(({ text }) => text)).toEqual(["two?", "four?"]);
    run.answer("2", "4");
    run.answer("1", "2");
  }
  await using run = await open(directory);
  const rest = new ScriptedAdapter({ turns: [{ text: "Done." }] });
  await run.continue(rest);
  expect(await log(run)).toBe("one\n2\nthree\n4\n");
  expect(acted).toEqual(["mail"]);
  expect(rest.requests[0]?.messages.slice(-5).map(({ text }) => text)).toEqual([
    "Appended one.",
    "The person says 2.",
    "Appended three.",
    "Sent mail.",
    "The person says 4.",
  ]);
});
