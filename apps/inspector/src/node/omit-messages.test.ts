import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Run } from "@wink/adapters/run";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { InMemoryFilesystem } from "@wink/filesystem";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { VfsToolsSection } from "@wink/tools";
import { expect, it, onTestFinished } from "vitest";
import { omitFromPart } from "./omit-contents.js";

const OMIT = { files: true, prompts: false };

/** The parts of the transcript of a run with these messages. */
async function partsOf(messages: readonly { text: string; files?: readonly string[] }[]) {
  const directory = join(await mkdtemp(join(tmpdir(), "wink-omit-")), "run");
  onTestFinished(() => rm(join(directory, ".."), { recursive: true }));
  await using run = await Run.open(directory, {
    filesystem: new InMemoryFilesystem({ files: { "a.txt": "MARK-FILE\n\nMARK-MORE" } }),
  });
  const section = await VfsToolsSection.create({
    session: run.session,
    filesystem: run.filesystem,
  });
  const template = new PromptTemplate({ ns: "a", key: "b", sections: [section] });
  const turns = [
    { calls: [{ tool: "read_file", input: { file_path: "a.txt" } }] },
    { text: "MARK-ANSWER" },
  ];
  const adapter = new ScriptedAdapter({ turns });
  await adapter.evaluate(new Prompt(template).bind({}), { session: run.session, messages });
  const lines = (await readFile(join(directory, "transcript.jsonl"), "utf8")).trim().split("\n");
  return lines
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly value: unknown })
    .filter(({ kind }) => kind === "part")
    .map(({ value }) => value);
}

it("a message keeps its text and the names of its files, not their contents (IN-16)", async () => {
  const parts = await partsOf([{ text: "MARK-SAID", files: ["a.txt"] }]);
  expect(JSON.stringify(parts)).toContain("MARK-FILE\\n\\nMARK-MORE");
  const text = JSON.stringify(parts.map((part) => omitFromPart(part, OMIT)));
  expect(text).toContain("MARK-SAID\\n\\nThe file 'a.txt':\\n\\n(omitted)");
  expect(text).toContain("MARK-ANSWER");
  expect(text).not.toMatch(/MARK-FILE|MARK-MORE/);
});

it("a message with nothing but a file has no content of it (IN-16)", async () => {
  const parts = await partsOf([{ text: "", files: ["a.txt"] }]);
  const text = JSON.stringify(parts.map((part) => omitFromPart(part, OMIT)));
  expect(text).not.toMatch(/MARK-FILE|MARK-MORE/);
});

it("a summary of the conversation is left out (IN-16)", () => {
  const text = "The earlier part of this conversation was removed to save space. MARK-FILE";
  expect(omitFromPart({ role: "user", text }, OMIT)).toEqual({ role: "user", text: "(omitted)" });
});
