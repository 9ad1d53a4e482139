// A small project's tests run in a container, a scripted agent finds and fixes the fault, and the change is
// shown as a patch. Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Deadline, Prompt } from "@wink/prompt";
import { Session } from "@wink/session";
import { diagnosePodman } from "@wink/tools/podman";
import { createFixer } from "./agent.js";
import { createOfflineModel } from "./offline-model.js";

const project = fileURLToPath(new URL("sample", import.meta.url));
const image = process.env["WINK_SANDBOX_IMAGE"] ?? "localhost/wink-sandbox:1";

const { usable, checks } = await diagnosePodman({ image });
if (!usable) {
  const problems = checks.filter(({ status }) => status === "failed").map(({ message }) => message);
  console.log(`skipped: no container is available to run tests in. ${problems.join(" ")}`);
  process.exit(process.env["WINK_REQUIRE_ALL"] ? 1 : 0);
}

const session = new Session();
const { template, sandbox } = await createFixer(session, project, image);
try {
  const prompt = new Prompt(template).bind({});
  console.log("The tests fail. A scripted model looks for the cause.\n");
  const { output } = await createOfflineModel().evaluate(prompt, {
    session,
    deadline: Deadline.in("5m"),
    onEvent(event) {
      if (event.type === "tool-call-finished")
        console.log(`  ${event.toolName}: ${firstLine(event.result.message)}`);
    },
  });
  console.log(`\n${output.cause}\n`);

  const patch = await sandbox.changes().toPatch();
  console.log(patch.trimEnd());
  assert.equal(output.fixed, true);
  assert.match(patch, /^\+.*100 - discount/m);
  const files = await sandbox.changes().files();
  const paths = files.map(({ path }) => path);
  assert.deepEqual(paths, ["cart.py"]);
  assert.match(await readFile(`${project}/cart.py`, "utf8"), /\* discount/);
  console.log("\nThe tests pass in the container. The files of the host are unchanged.");
} finally {
  await sandbox.close();
}

/** Removes the duration, which differs in every run. */
function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ after [\d.]+ seconds/, "");
}
