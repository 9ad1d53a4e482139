import type { ScriptedTurn } from "@wink/adapters/scripted";

export interface AgentSourceOptions {
  /** Whether closing its prompt ends; otherwise it hangs forever. @default true */
  readonly closes?: boolean;
}

/** The source of an agent with a scripted model that plays `turns`. */
export function agentSource(
  turns: readonly ScriptedTurn[],
  { closes = true }: AgentSourceOptions = {},
): string {
  return `import { defineAgent } from "@wink/cli";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { PlanningToolsSection, SnapshotToolsSection } from "@wink/tools";
import { z } from "zod";

// Writes a file, reports that as progress, and never returns.
const hang = defineTool({
  name: "hang",
  description: "Write a file and never return.",
  input: z.object({ file_path: z.string() }),
  access: "write",
  async handler({ file_path }, { filesystem, signal }) {
    await filesystem.write(file_path, "half");
    console.error("hanging");
    await new Promise((_, reject) => {
      const timer = setInterval(() => {}, 1_000);
      signal.addEventListener("abort", () => {
        clearInterval(timer);
        reject(signal.reason);
      });
    });
    return ok(undefined, "never");
  },
});

const blow = defineTool({
  name: "blow",
  description: "Write two files, then fail.",
  input: z.object({}),
  access: "write",
  async handler(_, { filesystem }) {
    await filesystem.write("one.txt", "1");
    await filesystem.write("two.txt", "2");
    throw new Error("blown");
  },
});

export const agent = defineAgent({
  description: "An agent for tests.",
  params: z.object({ focus: z.string().default("all"), limit: z.number().default(1) }),
  prompt({ session, workspace, params }) {
    const prompt = new Prompt(
      new PromptTemplate({
        ns: "tests",
        key: "agent",
        output: z.object({ summary: z.string() }),
        sections: [
          new MarkdownSection({
            key: "task",
            title: "Task",
            params: z.object({ focus: z.string(), limit: z.number() }),
            template: "Look at \${focus}, at most \${limit}.",
            tools: [hang, blow],
          }),
          new PlanningToolsSection({ session }),
          new SnapshotToolsSection(),
          workspace,
        ],
      }),
    ).bind({ task: params });
    if (!${closes}) prompt.close = () => new Promise(() => setInterval(() => {}, 1_000));
    return prompt;
  },
  script: ${JSON.stringify(turns)},
});
`;
}

export const call = (tool: string, input: Readonly<Record<string, unknown>> = {}) => ({
  calls: [{ tool, input }],
});

/** Creates, replaces and deletes files, with a rollback and a plan. */
export const WORK: readonly ScriptedTurn[] = [
  call("planning_setup_plan", { objective: "Tidy up", steps: ["Look", "Change"] }),
  call("read_file", { file_path: "a.txt" }),
  call("blow"),
  call("edit_file", { file_path: "a.txt", old_string: "one", new_string: "ONE" }),
  call("write_file", { file_path: "new.txt", content: "new\n" }),
  call("rm", { path: "old.txt" }),
  call("planning_update_step", { step_id: "1", status: "completed" }),
  { text: { summary: "Tidied up." } },
];

export const FILES = { "a.txt": "one\ntwo\n", "old.txt": "old\n", "sub/b.txt": "b\n" };
