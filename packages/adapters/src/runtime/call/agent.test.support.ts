import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import {
  defineTool,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type Tool,
  type ToolAccess,
  type ToolContext,
  type ToolPolicy,
} from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { appendAll, defineEvent, defineSlice, Session } from "@wink/session";
import { z } from "zod";
import { runToolCall } from "./run-tool-call.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";

export const Note = defineEvent("test.note", z.object({ text: z.string() }));
export const Notes = defineSlice({
  name: "test.notes",
  schema: Note.schema,
  reducers: (on) => [on(Note, appendAll)],
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem, tools: readonly Tool[], policies: readonly ToolPolicy[]) {
    super({ key: "files", title: "Files", template: "Files.", tools, policies });
    this.filesystem = filesystem;
  }
}

export interface AgentOptions {
  readonly tools?: readonly Tool[];
  readonly files?: Filesystem;
  readonly policies?: readonly ToolPolicy[];
  readonly session?: Session;
}

/** A prompt with one workspace, and a function to call its tools as a model would. */
export function agent({
  tools = [],
  files = new InMemoryFilesystem({ files: { "a.txt": "old" } }),
  policies = [],
  session = new Session({ slices: [Notes] }),
}: AgentOptions) {
  const sections = [new Files(files, tools, policies)];
  const template = new PromptTemplate({ ns: "tests", key: "agent", sections });
  const prompt = new Prompt(template).bind({});
  const errors: unknown[] = [];
  let calls = 0;
  const call = (
    toolName: string,
    args: unknown = {},
    options: Partial<Omit<RunToolCallOptions, "call">> = {},
  ) =>
    runToolCall({
      rendered: prompt.render({ session }),
      adapter: noAdapter,
      session,
      onError: (error) => errors.push(error),
      ...options,
      call: { toolCallId: `call-${++calls}`, toolName, arguments: args },
    });
  return {
    prompt,
    session,
    files,
    errors,
    call,
    notes: () =>
      session
        .slice(Notes)
        .all()
        .map(({ text }) => text),
    content: async (path = "a.txt") => (await files.read(path)).content,
  };
}

/** A writing tool whose handler the test provides. */
export function tool(
  name: string,
  handler: (context: ToolContext) => unknown,
  options: { readonly access?: ToolAccess; readonly timeoutMs?: number } = {},
): Tool {
  const made = defineTool({
    name,
    description: "Does what the test says.",
    input: z.object({}),
    access: "write",
    ...options,
    // Tests may return anything from a handler, also invalid values.
    handler: (_, context) => handler(context) as never,
  });
  // The list contains tools of all types.
  return made as unknown as Tool;
}

/** Writes a file, dispatches an event, and then runs `then`. */
export function change(text: string, then: (context: ToolContext) => unknown = () => done()) {
  return async (context: ToolContext) => {
    await context.filesystem.write("a.txt", text);
    context.session.dispatch(Note({ text }));
    return await then(context);
  };
}

export function done() {
  return ok(undefined, "Done.");
}

export function failed() {
  return fail("It did not work.");
}

export function never(): Promise<never> {
  return new Promise(() => {});
}

/** A promise that the test settles. */
export function gate<T = void>() {
  let open: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
