import type { Filesystem } from "@wink/filesystem";
import {
  type BoundPrompt,
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type Tool,
} from "@wink/prompt";
import { z } from "zod";
import { ScriptedAdapter, type ScriptedAdapterOptions } from "../../scripted/scripted-adapter.js";
import type { ScriptedTurn } from "../../scripted/scripted-turn.js";

const writeFile = defineTool({
  name: "write_file",
  description: "Write a file.",
  input: z.object({ path: z.string(), content: z.string() }),
  access: "write",
  async handler({ path, content }, { filesystem }) {
    await filesystem.write(path, content);
    return ok(undefined, "Written.");
  },
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem, tools: readonly Tool[]) {
    super({ key: "files", title: "Files", template: "Work.", tools });
    this.filesystem = filesystem;
  }
}

/** A prompt with a tool that writes files, and with `tools`. */
export function worker(filesystem: Filesystem, tools: readonly Tool[] = []): BoundPrompt {
  // The list contains tools of all types.
  const all = [writeFile as unknown as Tool, ...tools];
  const sections = [new Files(filesystem, all)];
  return new Prompt(new PromptTemplate({ ns: "tests", key: "worker", sections })).bind({});
}

/** A model that writes these files, one call each, and then answers with `text`. */
export function writing(
  files: Readonly<Record<string, string>>,
  text = "Done.",
  usage?: ScriptedTurn["usage"],
): ScriptedAdapter {
  const calls = Object.entries(files).map(([path, content]) => ({
    tool: "write_file",
    input: { path, content },
  }));
  return scripted([
    { calls, usage },
    { text, usage },
  ]);
}

export function scripted(turns: ScriptedAdapterOptions["turns"]): ScriptedAdapter {
  return new ScriptedAdapter({ turns });
}
