import { VERSION } from "../terminal/version.js";

/** The files that `wink init` writes, by path. `name` is the name of the directory. */
export function agentFiles(name: string, wink: string): Readonly<Record<string, string>> {
  return {
    "agent.ts": AGENT,
    "package.json": `${JSON.stringify(manifest(name), null, 2)}\n`,
    "README.md": readme(name, wink),
  };
}

/** Without dependencies until the first release: `wink run` provides the packages. */
function manifest(name: string) {
  const range = `^${VERSION}`;
  const dependencies = {
    "@wink/cli": range,
    "@wink/prompt": range,
    "@wink/tools": range,
    zod: "^4.6.7",
  };
  return {
    name:
      name
        .toLowerCase()
        .replace(/[^a-z0-9._-]+/g, "-")
        .replace(/^[._-]+/, "") || "agent",
    private: true,
    type: "module",
    ...(VERSION === "0.0.0" ? {} : { scripts: { start: "wink run agent.ts" }, dependencies }),
  };
}

const AGENT = `import { defineAgent } from "@wink/cli";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { PlanningToolsSection } from "@wink/tools";
import { z } from "zod";

// The schema of the agent's answer. The answer of the model is validated with it.
const Answer = z.object({ summary: z.string(), files: z.array(z.string()) });

export const agent = defineAgent({
  description: "Writes a greeting into the README.",

  // The values of --param: wink run agent.ts --param tone=formal
  params: z.object({ tone: z.string().default("friendly") }),

  // The agent is one document. Each section has instructions and the tools for them.
  prompt: ({ session, workspace, params }) =>
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

function readme(name: string, wink: string): string {
  return `# ${name}

An agent that greets you.

The greeting is still missing.

\`\`\`sh
${wink} run agent.ts                          # a scripted model: offline, the same each time
${wink} run agent.ts -m anthropic:<model>     # a real one, with ANTHROPIC_API_KEY set
${wink} diff                                  # what it changed, in a copy of this directory
${wink} apply                                 # apply it to this directory; ${wink} undo undoes it
\`\`\`

The agent is [agent.ts](agent.ts). Change the line marked "change this", run it again, and look at the difference.
`;
}
