// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is the syntax of placeholders.
import { defineSubagentTool } from "@wink/adapters";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import type { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { z } from "zod";

/** A tool that lets a subagent do a task on a fork of the files. */
const delegate = defineSubagentTool({
  name: "delegate",
  description: "Let a subagent do a task. Several calls in one turn run concurrently.",
  input: z.object({ task: z.string().describe("What to do, in a sentence or two.") }),
  // Each may use a quarter of the remaining budget.
  budget: 0.25,
  async prompt({ task }, filesystem, session) {
    const assignment = new MarkdownSection({
      key: "assignment",
      title: "Assignment",
      params: z.object({ task: z.string() }),
      template: "${task}",
    });
    const files = await VfsToolsSection.create({ session, filesystem });
    const template = new PromptTemplate({
      ns: "examples",
      key: "helper",
      sections: [assignment, files],
    });
    return new Prompt(template).bind({ assignment: { task } });
  },
});

/** The agent that delegates the tasks. It has the files too. */
export async function createEditor(session: Session) {
  const workspace = await VfsToolsSection.create({
    session,
    files: {
      "texts.ts":
        'export const greeting = "hello";\n\n// Used at the end of a conversation,\n// and at no other time.\n\nexport const farewell = "bye";\n',
    },
  });
  const task = new MarkdownSection({
    key: "task",
    title: "Task",
    template: "Make the texts more polite. Delegate each text to its own subagent.",
    tools: [delegate],
  });
  const template = new PromptTemplate({
    ns: "examples",
    key: "editor",
    sections: [task, workspace],
  });
  return { prompt: new Prompt(template).bind({}), workspace };
}
