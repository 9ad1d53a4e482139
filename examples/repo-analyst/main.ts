// An analyst that gets a digest of a project, follows a plan, and writes a report.
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Prompt } from "@wink/prompt";
import { Session } from "@wink/session";
import { Plan, renderDigest, renderPlan, WorkspaceDigest } from "@wink/tools";
import { createAnalyst } from "./agent.js";
import { createOfflineModel } from "./offline-model.js";

// This clone, or any directory: `pnpm start ~/projects/mine`.
const directory = process.argv[2] ?? fileURLToPath(new URL("../..", import.meta.url));

const session = new Session();
const { template, workspace, digest } = await createAnalyst(session, path.resolve(directory));
const prompt = new Prompt(template).bind({});
console.log("The digest in the prompt:\n");
console.log(renderDigest(digest));

const model = createOfflineModel();
const { output } = await model.evaluate(prompt, { session });
model.assertFinished();
console.log(`\nThe plan in the session:\n\n${renderPlan(session.state(Plan))}`);

const report = await workspace.filesystem.read(output.report);
console.log(`\n${output.report}, in the workspace and not on disk:\n`);
console.log(report.content.split("\n").slice(0, 6).join("\n"));

assert.equal(session.state(Plan).status, "completed");
// The file tree costs one line of the prompt until the model opens it.
const [first = 0, second = 0] = model.requests.map(({ instructions }) => instructions.length);
assert(second > first);
assert.deepEqual(
  (await workspace.changes().files()).map(({ type, path }) => `${type} ${path}`),
  ["added analysis.md"],
);
assert.equal(existsSync(path.join(directory, "analysis.md")), false);

// The digest is keyed by content, so it is not computed again for unchanged files.
await workspace.filesystem.delete(output.report);
const again = await WorkspaceDigest.fromFilesystem(workspace.filesystem, { previous: digest });
assert.equal(again, digest);
if (process.argv[2] === undefined) {
  assert.equal(output.kind, "Node.js monorepo");
  assert.equal(output.testCommand, "pnpm test");
}
