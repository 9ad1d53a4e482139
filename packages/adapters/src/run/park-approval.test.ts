import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import {
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  requireApproval,
} from "@wink/prompt";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { Run } from "./run.js";

const deployed: string[] = [];
/** @param target is part of the input that a person approves */
const deployTo = (target: string) =>
  defineTool({
    name: "deploy",
    description: "Deploy.",
    input: z.object({ version: z.string(), target: z.string().default(target) }),
    access: "write",
    effects: "workspace",
    handler: ({ version }) => {
      deployed.push(version);
      return ok(undefined, `Deployed ${version}.`);
    },
  });

async function open(directory: string, target = "a") {
  const filesystem = new InMemoryFilesystem();
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const sections = [
    new Files({ key: "files", title: "Files", template: "Do.", tools: [deployTo(target)] }),
  ];
  const policies = [requireApproval(() => true)];
  const template = new PromptTemplate({ ns: "tests", key: "parked", sections, policies });
  const agent = defineAgent<undefined, undefined>({ prompt: () => new Prompt(template).bind({}) });
  return await Run.open(directory, { agent, params: undefined, filesystem, restoreFiles: true });
}

const park = () => ({ park: true }) as const;

/** Parks a run at its deployment. Resolves to its directory. */
async function parked(): Promise<string> {
  deployed.length = 0;
  const parent = mkdtempSync(join(tmpdir(), "wink-park-approval-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const directory = join(parent, "run");
  await using run = await open(directory);
  const calls = [{ tool: "deploy", input: { version: "1.0.0" }, toolCallId: "call-1" }];
  const adapter = new ScriptedAdapter({ turns: [{ calls }] });
  await expect(run.continue(adapter, { onApproval: park })).rejects.toMatchObject({
    code: "PARKED",
  });
  expect(run.parks).toMatchObject([
    { kind: "approval", data: { tool: "deploy", input: { version: "1.0.0" } }, isAnswered: false },
  ]);
  return directory;
}

/** Answers in another process, and continues there. Resolves to what the model reads. */
async function answered(
  directory: string,
  answer: { readonly allow: boolean; readonly reason?: string },
  target?: string,
) {
  await using run = await open(directory, target);
  const [{ id } = { id: "" }] = run.parks;
  run.answer(id, answer);
  const adapter = new ScriptedAdapter({ turns: [{ text: "Done." }] });
  await run.continue(adapter, { onApproval: park, onAgentChanged: "continue" });
  return adapter.requests[0]?.messages.at(-1)?.text;
}

it("a call that waits for approval parks its run, and another process answers (MD-16)", async () => {
  expect(await answered(await parked(), { allow: true })).toBe("Deployed 1.0.0.");
  expect(deployed).toEqual(["1.0.0"]);
  expect(await answered(await parked(), { allow: false, reason: "Not today." })).toBe("Not today.");
  expect(deployed).toEqual([]);
});

it("the answer to a parked call is refused if the call changed by one byte (MD-13, MD-16)", async () => {
  const directory = await parked();
  expect(readFileSync(join(directory, "transcript.jsonl"), "utf8")).toContain('"what":"parked"');
  // The agent has changed, so that the same call of the model has another input.
  const text = await answered(directory, { allow: true }, "b");
  expect(text).toContain("needs a person's approval");
  expect(deployed).toEqual([]);
});
