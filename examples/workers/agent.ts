import { setTimeout as sleep } from "node:timers/promises";
import { defineAgent } from "@wink/adapters";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { z } from "zod";

export const CHAPTERS = 6;

const writeChapter = defineTool({
  name: "write_chapter",
  description: "Writes a chapter.",
  input: z.object({ number: z.number() }),
  access: "write",
  // Its only effects are files of the workspace, so a worker may make the call again after a crash.
  effects: "workspace",
  async handler({ number }, { filesystem }) {
    await sleep(300);
    await filesystem.write(`chapter-${number}.md`, `# Chapter ${number}\n`);
    return ok(undefined, `Chapter ${number} is written.`);
  },
});

export const agent = defineAgent({
  prompt: ({ workspace }) =>
    new Prompt(
      new PromptTemplate({
        ns: "examples",
        key: "writer",
        sections: [
          workspace,
          new MarkdownSection({
            ...{ key: "task", title: "Task", template: "Write a book." },
            tools: [writeChapter],
          }),
        ],
      }),
    ).bind({}),
});

/** In place of a provider's adapter. Its answer depends only on the conversation, as that of a model does. */
export const model = new ScriptedAdapter({
  turns({ messages }) {
    const number = messages.filter(({ role }) => role === "assistant").length + 1;
    if (number > CHAPTERS) return { text: `The book has ${CHAPTERS} chapters.` };
    const toolCallId = `chapter-${number}`;
    return { calls: [{ tool: "write_chapter", toolCallId, input: { number } }] };
  },
});
