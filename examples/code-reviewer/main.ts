// A reviewer that answers with typed findings and a patch, and changes no file of yours.
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Deadline, Prompt } from "@wink/prompt";
import { Session } from "@wink/session";
import { createReviewer } from "./agent.js";
import { chat } from "./chat.js";
import { createOfflineModel } from "./offline-model.js";

// Change this line and run it again: "security" has other findings than "error handling".
const focus: string = "error handling";

const sample = fileURLToPath(new URL("sample", import.meta.url));
const [mode, directory = sample] = process.argv.slice(2);
if (mode === "chat") {
  await chat(directory, focus);
  process.exit();
}

const session = new Session();
const { template, workspace } = await createReviewer(session, sample);
const prompt = new Prompt(template).bind({ task: { focus } });

const model = createOfflineModel();
console.log(`A review of ${focus}, by a scripted model that follows rules.\n`);
const { output, usage } = await model.evaluate(prompt, {
  session,
  deadline: Deadline.in("2m"),
  onEvent(event) {
    if (event.type === "tool-call-finished")
      console.log(`  ${event.toolName}: ${event.result.message.split("\n")[0]}`);
  },
});

// `output` was checked with the template's schema, and has its type.
console.log(`\n${output.summary}`);
for (const { file, line, severity, problem, advice } of output.findings)
  console.log(`  ${severity.padEnd(6)} ${file}:${line}\n         ${problem}\n         ${advice}`);

const patch = await workspace.changes().toPatch();
if (patch !== "")
  console.log(`\nThe proposed patch, so far only in the workspace:\n\n${patch.trimEnd()}`);
console.log(`\n${usage.toolCalls} tool calls in ${usage.turns} turns. Your files are unchanged.`);

if (focus === "error handling") assert.equal(output.findings.length, 2);
for (const { file, line } of output.findings) {
  const { totalLines } = await workspace.filesystem.read(file);
  assert(line >= 1 && line <= totalLines);
}
const changed = await workspace.changes().files();
assert.equal(changed.length > 0, output.findings.length > 0);
for (const { path } of changed) {
  const onHost = await readFile(`${sample}/${path}`, "utf8");
  assert.notEqual((await workspace.filesystem.read(path)).content, onHost);
}
