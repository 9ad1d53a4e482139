import { describe, expect, it, vi } from "vitest";
import { defineAgent } from "../index.js";
import { agentSource } from "../run/agent-file.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** Runs the agent of a file in a directory without a package.json and without installed packages. */
async function runAgent(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { directory: cwd, env } = await makeProject(files);
  const [name = ""] = Object.keys(files);
  return await runWink(["run", name, "--backend", "memory", ...args], { cwd, env });
}

/** The plain test command tries fewer spellings and mistakes than CI. */
const isPlain = process.env["WINK_MORE_ROUNDS"] === undefined;

const DONE = [{ text: { summary: "Done." } }];

const TOOLS = `import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
export const hello = defineTool({
  name: "hello",
  description: "Say hello.",
  input: z.object({}),
  access: "read",
  handler: async () => ok(undefined, "Hello from the second file."),
});
`;

/** An agent that uses the tool of `tools.ts`. */
function twoFiles(specifier: string): string {
  return agentSource([{ calls: [{ tool: "hello" }] }, ...DONE])
    .replace("tools: [hang, blow]", "tools: [hello]")
    .concat(`import { hello } from "${specifier}";\n`);
}

describe("wink run loads", () => {
  it.each(["./tools.js", "./tools.ts", "./tools"].slice(0, isPlain ? 1 : 3))(
    "an agent that imports %s, without a package.json (CL-19)",
    async (specifier) => {
      const files = { "agent.ts": twoFiles(specifier), "tools.ts": TOOLS };
      const { exitCode, stderr } = await runAgent(files);
      expect(stderr).toContain("Hello from the second file.");
      expect(exitCode).toBe(0);
    },
  );
});

const MISTAKES = [
  {
    mistake: "whose prompt returns text",
    source: 'export const agent = { prompt: () => "text", script: [] };',
    message: "agent.mjs: prompt() returned a string. Return a bound Prompt.",
  },
  {
    mistake: "with a misspelt field",
    source: "export const agent = { prompt: () => {}, scrpt: [] };",
    message: "agent.mjs: unknown option 'scrpt'. Did you mean 'script'?",
  },
  {
    mistake: "without a prompt",
    source: "export const agent = {};",
    message: "agent.mjs: prompt must be a function, got undefined.",
  },
  {
    mistake: "that defines a misspelt field",
    source:
      'import { defineAgent } from "@wink/cli";\nexport const agent = defineAgent({ prompt() {}, parms: 1 });',
    message:
      "agent.mjs cannot be loaded: defineAgent: unknown option 'parms'. Did you mean 'params'?",
  },
];

describe("wink run names the mistake of an agent", () => {
  it.each(MISTAKES.slice(isPlain ? 2 : 0))("$mistake (CL-2)", async ({ source, message }) => {
    const { exitCode, stderr } = await runAgent({ "agent.mjs": source });
    expect(stderr).toContain(`wink: ${message}\n`);
    expect(exitCode).toBe(1);
  });

  it("that throws in a timer, in one sentence (CL-2)", async () => {
    const source = 'setTimeout(() => { throw new Error("late") });\nawait new Promise(() => {});';
    const { exitCode, stderr } = await runAgent({ "agent.mjs": source });
    expect(stderr).toBe("wink: late\nAdd --debug to see where this comes from.\n");
    expect(exitCode).toBe(1);
  });

  it("whose handler throws, in one line, and the stack with --debug (CL-2, CL-12)", async () => {
    const source = agentSource([{ calls: [{ tool: "blow" }] }, ...DONE]);
    const plain = await runAgent({ "agent.ts": source });
    expect(plain.stderr).toMatch(/✗ blow .*\n {5}Error: blown\n {3}↩ rolled back: one\.txt/);
    expect(plain.stderr).not.toMatch(/\n +at /);
    const { stderr } = await runAgent({ "agent.ts": source }, "--debug");
    expect(stderr).toMatch(/Error: blown\n +at .*agent\.ts:/);
  });
});

it("defineAgent refuses a field that it does not know (CL-2)", () => {
  const given = { prompt: () => Promise.reject(new Error("unused")), script: [], modle: "x" };
  expect(() => defineAgent(given)).toThrow("defineAgent: unknown option 'modle'.");
});
