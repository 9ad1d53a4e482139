import { ScriptedAdapter } from "@wink/adapters/scripted";
import type { SnapshotableFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import type { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { z } from "zod";

const look = defineTool({
  ...{ name: "look", description: "Look.", input: z.object({}), access: "read" },
  effects: "workspace",
  handler: async () => ok(undefined, "Seen."),
});

export async function promptFor(session: Session, filesystem: SnapshotableFilesystem) {
  const sections = [
    new MarkdownSection({ key: "task", title: "Task", template: "Do the work.", tools: [look] }),
    await VfsToolsSection.create({ session, filesystem, trackChanges: false }),
  ];
  return new Prompt(new PromptTemplate({ ns: "bench", key: "durable", sections })).bind({});
}

export interface ModelOptions {
  readonly turns: number;
  /** Whether each turn writes a file, or looks at nothing. @default true */
  readonly writes?: boolean;
  /** Aborts when the last turn is requested. */
  readonly stop?: AbortController;
}

/** Each turn makes a call. */
export function model({ turns, writes = true, stop }: ModelOptions): ScriptedAdapter {
  return new ScriptedAdapter({
    maxTurns: turns + 1,
    turns: ({ messages }) => {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      if (turn === turns - 1) stop?.abort();
      if (turn >= turns - 1) return { text: "Done." };
      const toolCallId = `call-${turn}`;
      if (!writes) return { calls: [{ tool: "look", toolCallId }] };
      const input = { file_path: "note.txt", content: `${turn}`, mode: "overwrite" };
      return { calls: [{ tool: "write_file", input, toolCallId }] };
    },
  });
}
