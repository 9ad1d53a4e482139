// Three subagents work concurrently, each on a fork of the files. Their changes are merged in the order of
// the calls. A change that conflicts with another is refused, and the answer shows both sides.
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { Budget } from "@wink/prompt";
import { Session } from "@wink/session";
import { createEditor } from "./agent.js";
import { createOfflineModel } from "./offline-model.js";

const session = new Session();
const { prompt, workspace } = await createEditor(session);
const budget = new Budget({ toolCalls: 40 });

const answers: string[] = [];
const { text } = await createOfflineModel().evaluate(prompt, {
  ...{ session, budget },
  onEvent(event) {
    if (event.type !== "tool-call-finished") return;
    answers.push(event.result.message);
    console.log(`${event.result.message}\n`);
  },
});
console.log(`${text}\n`);
console.log((await workspace.changes().toPatch()).trimEnd());
console.log(
  `\n${budget.remaining().toolCalls} of 40 tool calls are left, including the calls of the subagents.`,
);

assert.equal(answers.length, 3);
assert.deepEqual(answers.slice(0, 2), ["The subagent is done.", "The subagent is done."]);
// No work is lost silently: the model reads the current text and the subagent's version.
const [, , refusal = ""] = answers;
for (const part of ["not merged", "--- now", "good morning", "--- by the subagent", "dear friend"])
  assert(refusal.includes(part));
const { content } = await workspace.filesystem.read("texts.ts");
assert(content.includes('greeting = "good morning"') && content.includes('farewell = "goodbye"'));
assert.equal(budget.remaining().toolCalls, 31);
