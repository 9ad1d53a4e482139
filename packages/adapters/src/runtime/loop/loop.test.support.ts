import { InMemoryFilesystem } from "@wink/filesystem";
import { MarkdownSection, Prompt, PromptTemplate, type Tool } from "@wink/prompt";
import { Session } from "@wink/session";
import type { z } from "zod";
import { ScriptedAdapter, type ScriptedAdapterOptions } from "../../scripted/scripted-adapter.js";
import { change, done, Notes, never, tool } from "../call/agent.test.support.js";
import type { ModelClient } from "./model-client.js";

/** A model that never answers and ignores its signal. */
export function silent(): ModelClient {
  return { name: "silent", ask: never };
}

export function setup<Output extends z.ZodType | undefined = undefined>(options: {
  readonly turns: ScriptedAdapterOptions["turns"];
  readonly tools?: readonly Tool[];
  readonly output?: Output;
  readonly retry?: ScriptedAdapterOptions["retry"];
}) {
  const {
    turns,
    tools = [tool("set", change("new")), tool("noop", done)],
    output,
    retry,
  } = options;
  const filesystem = new InMemoryFilesystem({ files: { "a.txt": "old" } });
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const sections = [new Files({ key: "files", title: "Files", template: "Work.", tools })];
  const base = { ns: "tests", key: "loop", sections };
  const template = new PromptTemplate(
    output === undefined ? base : { ...base, output: output as z.ZodType },
  );
  const adapter = new ScriptedAdapter({ turns, retry, onError: () => {} });
  const prompt = new Prompt(template).bind({});
  const session = new Session({ slices: [Notes] });
  return {
    adapter,
    prompt,
    session,
    content: async () => (await filesystem.read("a.txt")).content,
  };
}
