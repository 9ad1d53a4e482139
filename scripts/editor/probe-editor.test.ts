import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { findRunnableBlocks } from "../documentation/code-blocks.js";
import { readText, root } from "../repository.js";
import { runCommand } from "../run-command.js";
import { probeEditor } from "./probe-editor.js";

// A compiler and an editor's server start, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** A folder of the clone where the quickstart has people write their first program. */
async function makeFolder(): Promise<string> {
  await mkdir(path.join(root, "try"), { recursive: true });
  const folder = await mkdtemp(path.join(root, "try", "probe-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it("an editor and tsc know the types of the quickstart and of wink init in an unbuilt clone (CL-46)", async () => {
  const folder = await makeFolder();
  const program = path.join(folder, "fixer.ts");
  await writeFile(program, findRunnableBlocks(readText("docs/quickstart.md"))[0]?.text ?? "");
  const agent = path.join(folder, "my-agent");
  const wink = ["--import", "tsx", "--conditions=@wink/source", "apps/cli/bin/wink.js"];
  const made = await runCommand("node", [...wink, "init", agent]);
  expect(made).toMatchObject({ ok: true });
  // The config of the clone covers every folder without its own, so other files can have errors.
  const compiled = await runCommand("tsc", ["--noEmit", "--pretty", "false"], { cwd: folder });
  expect(compiled.output).not.toMatch(/^(fixer|my-agent)/m);
  const output = await runCommand("tsc", ["--noEmit"], { cwd: agent });
  expect(output).toMatchObject({ ok: true, output: "" });
  const { problems, imported } = await probeEditor([program, path.join(agent, "agent.ts")]);
  expect(problems).toEqual([]);
  const built = imported.filter((file) => file.startsWith(root) && file.includes("/dist/"));
  expect(imported.length).toBeGreaterThan(8);
  expect(built, "the clone need not be built").toEqual([]);
});

it("the probe reports a wrong type and an import that leads nowhere", async () => {
  const folder = await makeFolder();
  const file = path.join(folder, "wrong.ts");
  await writeFile(
    file,
    'import { Session } from "@wink/session";\nimport { no } from "@wink/nowhere";\nconst events: string = new Session().events;\nconsole.log(events, no);\n',
  );
  expect((await probeEditor([file])).problems).toEqual([
    expect.stringContaining("wrong.ts:2 Cannot find module '@wink/nowhere'"),
    expect.stringMatching(/^wrong\.ts:3 Type '.*' is not assignable to type 'string'/),
    "wrong.ts:2 The import is not resolved.",
  ]);
});
