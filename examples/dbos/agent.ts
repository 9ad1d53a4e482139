import { setTimeout as sleep } from "node:timers/promises";
import { defineAgent } from "@wink/adapters";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { z } from "zod";

export const CHAPTERS = 5;

const writeChapter = defineTool({
  name: "write_chapter",
  description: "Writes a chapter.",
  input: z.object({ number: z.number() }),
  access: "write",
  // Its only effects are files of the workspace, so it may be called again after a crash.
  effects: "workspace",
  async handler({ number }, { filesystem }) {
    await sleep(200);
    await filesystem.write(`chapter-${number}.md`, `# Chapter ${number}\n`);
    return ok(undefined, `Chapter ${number} is written.`);
  },
});

export const agent = defineAgent({
  prompt: ({ workspace }) => {
    const task = new MarkdownSection({
      ...{ key: "task", title: "Task", template: "Write a book.", tools: [writeChapter] },
    });
    const template = { ns: "examples", key: "dbos-writer", sections: [workspace, task] };
    return new Prompt(new PromptTemplate(template)).bind({});
  },
});

/** In place of a provider's adapter. @param onAsk receives the number of each turn that is requested */
export function modelFor(onAsk: (turn: number) => void): ScriptedAdapter {
  return new ScriptedAdapter({
    turns({ messages }) {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      onAsk(turn);
      if (turn === CHAPTERS) return { text: `The book has ${CHAPTERS} chapters.` };
      const input = { number: turn + 1 };
      return { calls: [{ tool: "write_chapter", toolCallId: `chapter-${turn}`, input }] };
    },
  });
}
