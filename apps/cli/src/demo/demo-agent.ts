import { type Agent, defineAgent } from "@wink/adapters";
import { defineTool, fail, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import {
  PlanningToolsSection,
  SnapshotToolsSection,
  setWorkspaceDigest,
  WorkspaceDigest,
  WorkspaceDigestSection,
} from "@wink/tools";
import { z } from "zod";
import { DEMO_TEST_FILE } from "./demo-project.js";
import { DEMO_SCRIPT } from "./demo-script.js";
import { summarize } from "./test-report.js";
import type { TestRunner } from "./test-runner.js";

/** The agent's answer, with any model. */
export const Findings = z.object({
  summary: z.string(),
  findings: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      severity: z.enum(["low", "medium", "high"]),
      problem: z.string(),
    }),
  ),
});
export type Findings = z.infer<typeof Findings>;

/** The demo's agent: WINK's sections and two additional tools. */
export function createDemoAgent(
  runner: TestRunner,
): Agent<Readonly<Record<string, string>>, Findings> {
  return defineAgent({
    description: "Finds out why a test fails, and repairs it.",
    script: DEMO_SCRIPT,
    async prompt({ session, workspace }) {
      setWorkspaceDigest(session, await WorkspaceDigest.fromFilesystem(workspace.filesystem));
      const task = new MarkdownSection({
        key: "task",
        title: "Task",
        template:
          "A test of this project fails. Plan, find out why, repair the code and not the test, and keep a snapshot when all tests pass.",
        tools: [runTestsTool(runner), replaceEverywhereTool(runner)],
      });
      const template = new PromptTemplate({
        ns: "wink",
        key: "demo",
        output: Findings,
        sections: [
          task,
          new WorkspaceDigestSection({ session }),
          new PlanningToolsSection({ session }),
          workspace,
          new SnapshotToolsSection(),
        ],
      });
      return new Prompt(template).bind();
    },
  });
}

function runTestsTool(runner: TestRunner) {
  return defineTool({
    name: "run_tests",
    description: "Run the project's tests on the files of the workspace.",
    input: z.object({}),
    access: "read",
    effects: "workspace",
    async handler(_, { filesystem, signal }) {
      const report = await runner.run(filesystem, DEMO_TEST_FILE, signal);
      return ok(report, summarize(report));
    },
  });
}

function replaceEverywhereTool(runner: TestRunner) {
  return defineTool({
    name: "replace_everywhere",
    description:
      "Replace a text in every file below a folder, then run the tests. When fewer of them pass than before, it fails and is undone.",
    input: z.object({
      find: z.string().min(1),
      replace: z.string(),
      path: z.string().default("."),
    }),
    access: "write",
    effects: "workspace",
    async handler({ find, replace, path }, { filesystem, signal }) {
      const before = await runner.run(filesystem, DEMO_TEST_FILE, signal);
      const matches = await filesystem.grep(find, { path, literal: true });
      const paths = [...new Set(matches.map((match) => match.path))];
      for (const each of paths) {
        const { content } = await filesystem.read(each);
        await filesystem.write(each, content.replaceAll(find, replace));
      }
      const after = await runner.run(filesystem, DEMO_TEST_FILE, signal);
      // Returning a failure is enough: the transaction around the call rolls the files back.
      if (after.passed < before.passed)
        return fail(`${before.passed} tests passed before, now ${after.passed}.`);
      return ok(after, `Changed ${paths.length} files. ${summarize(after)}`);
    },
  });
}
