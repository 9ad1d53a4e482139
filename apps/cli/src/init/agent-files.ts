import { join, relative } from "node:path";
import { CLONE } from "../terminal/clone.js";
import { MANIFEST } from "../terminal/manifest.js";

export interface AgentFilesOptions {
  /** The absolute path of the directory for the files. */
  readonly directory: string;
  /** The name of the agent. */
  readonly name: string;
  /** The options of `wink run`, such as `--model anthropic:<model>`. Empty for the defaults. */
  readonly runOptions: string;
  /** The command that starts `wink` in the directory. */
  readonly wink: string;
}

/** The files that `wink init` writes, by path. */
export function agentFiles(options: AgentFilesOptions): Readonly<Record<string, string>> {
  return {
    "agent.ts": AGENT,
    "package.json": json(manifest(options)),
    "tsconfig.json": json(compilerConfig(options.directory)),
    "README.md": readme(options),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function manifest({ directory, name, runOptions }: AgentFilesOptions) {
  // A clone is linked, because its versions are not in the registry.
  const range = (folder: string) =>
    CLONE === undefined
      ? `^${MANIFEST.version}`
      : `link:${relative(directory, join(CLONE, folder))}`;
  return {
    name: packageName(name),
    private: true,
    type: "module",
    scripts: { start: `wink run agent.ts${runOptions}`, check: "tsc --noEmit" },
    dependencies: {
      "@wink/cli": range("apps/cli"),
      "@wink/prompt": range("packages/prompt"),
      "@wink/tools": range("packages/tools"),
      zod: MANIFEST.dependencies["zod"],
    },
    devDependencies: { "@types/node": "^20.19.0", typescript: ">=5.8" },
  };
}

function packageName(name: string): string {
  const allowed = name.toLowerCase().replace(/[^a-z0-9._-]+/g, "-");
  return allowed.replace(/^[._-]+/, "") || "agent";
}

/** For editors and `tsc`. `wink run` does not read it. */
function compilerConfig(directory: string) {
  // The clone is not built, so its config resolves the packages to their sources.
  if (CLONE !== undefined)
    return {
      extends: relative(directory, join(CLONE, "tsconfig.json")),
      include: ["."],
      exclude: [],
    };
  return {
    compilerOptions: {
      target: "es2023",
      lib: ["es2023", "esnext.disposable"],
      module: "nodenext",
      types: ["node"],
      strict: true,
      // Node runs TypeScript without types, so it must be possible to delete them.
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    },
  };
}

const AGENT = `import { defineAgent } from "@wink/cli";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { AgentsFileSection, PlanningToolsSection, SkillsSection } from "@wink/tools";
import { z } from "zod";

// The schema of the agent's answer. The answer of the model is validated with it.
const Answer = z.object({ summary: z.string(), files: z.array(z.string()) });

export const agent = defineAgent({
  description: "Writes a greeting into the README.",

  // The values of --param: wink run agent.ts --param tone=formal
  params: z.object({ tone: z.string().default("friendly") }),

  // The agent is one document. Each section has instructions and the tools for them.
  prompt: async ({ session, workspace, params }) =>
    new Prompt(
      new PromptTemplate({
        ns: "my",
        key: "greeter",
        output: Answer,
        sections: [
          new MarkdownSection({
            key: "task",
            title: "Task",
            params: z.object({ tone: z.string() }),
            template: "Write a \${tone} greeting into README.md, in place of the line about the missing greeting.",
          }),
          // The AGENTS.md files and the skills of the directory, if it has any.
          await AgentsFileSection.create({ session, filesystem: workspace.filesystem }),
          await SkillsSection.create({ session, filesystem: workspace.filesystem }),
          new PlanningToolsSection({ session }),
          workspace, // the files, and the tools to work on them
        ],
      }),
    ).bind({ task: { tone: params.tone } }),

  // The turns of the scripted model, so that the agent runs offline. A real model does not use them.
  script: [
    { calls: [{ tool: "read_file", input: { file_path: "README.md" } }] },
    {
      calls: [
        {
          tool: "edit_file",
          input: {
            file_path: "README.md",
            old_string: "The greeting is still missing.",
            new_string: "Hello! This line was written by your agent.", // change this, and run it again
          },
        },
      ],
    },
    { text: { summary: "README.md has a greeting now.", files: ["README.md"] } },
  ],
});
`;

function readme({ name, wink, runOptions }: AgentFilesOptions): string {
  const offline = `${wink} run agent.ts`;
  const real = runOptions === "" ? " --model anthropic:<model>" : runOptions;
  return `# ${name}

An agent that greets you.

The greeting is still missing.

\`\`\`sh
# A scripted model: offline, with the same result each time.
${offline}
# A real model. Set its key first: ANTHROPIC_API_KEY or OPENAI_API_KEY.
${offline}${real}
# The changes, in a copy of this directory.
${wink} diff
# Write them to this directory. \`${wink} undo\` undoes it.
${wink} apply
\`\`\`

The agent is [agent.ts](agent.ts). Change the line marked "change this", run it again, and look at the difference.
`;
}
