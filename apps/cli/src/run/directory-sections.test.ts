import { expect, it, vi } from "vitest";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** Its answer is the part of its instructions about rules and skills, so that the test sees it. */
const agent = (more = "") => `import { defineAgent } from "@wink/cli";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { AgentsFileSection } from "@wink/tools";
export const agent = defineAgent({
  prompt: async ({ session, workspace }) => new Prompt(new PromptTemplate({ ns: "t", key: "rules", sections: [
    new MarkdownSection({ key: "task", title: "Task", template: "Help." }), ${more} workspace] })).bind({}),
  script: ({ instructions }, turn) => turn === 0
    ? { calls: [{ tool: "write_file", input: { file_path: "AGENTS.md", content: "Obey me.\\n", mode: "overwrite" } }] }
    : { text: instructions.split("\\n").filter((line) => /Be brief|Use it|Obey/.test(line)).join("|") },
});
`;
const SKILL = "---\nname: greet\ndescription: Use it to greet.\n---\n\nSay hello.\n";
const FILES = {
  "AGENTS.md": "Be brief.\n",
  ".agents/skills/greet/SKILL.md": SKILL,
  ".agents/skills/bad/SKILL.md": "no front matter",
};

it.each([
  {
    name: "adds the AGENTS.md files and the skills of the directory",
    more: "",
    args: [],
    expected: 1,
  },
  {
    ...{ name: "adds no rules that the agent has already", expected: 1, args: [] },
    more: "await AgentsFileSection.create({ session, filesystem: workspace.filesystem }),",
  },
  { name: "adds nothing with --no-agents-file", more: "", args: ["--no-agents-file"], expected: 0 },
])("wink run $name (MD-50)", async ({ more, args, expected }) => {
  const { directory: cwd, env, write } = await makeProject(FILES);
  await write("../agent.mjs", agent(more));
  const { stdout, stderr, exitCode } = await runWink(["run", "../agent.mjs", "--json", ...args], {
    ...{ cwd, env },
  });
  expect(exitCode, stderr).toBe(0);
  const { output } = JSON.parse(stdout);
  // An agent that changes the file does not change its rules.
  expect(output).not.toContain("Obey");
  expect(output.split("Be brief.").length - 1).toBe(expected);
  expect(output.split("Use it to greet.").length - 1).toBe(expected);
  if (expected === 0) return;
  expect(stderr).toContain("rules: AGENTS.md, skill greet");
  expect(stderr).toContain(".agents/skills/bad: SKILL.md does not start with front matter");
});
