import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, fail, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { appendAll, defineEvent, defineSlice, Session } from "@wink/session";
import { z } from "zod";

export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const Line = defineEvent("test.line", z.object({ text: z.string() }));
const Lines = defineSlice({
  name: "test.lines",
  schema: Line.schema,
  reducers: (on) => [on(Line, appendAll)],
});

const nothing = z.object({});

const addLine = defineTool({
  name: "add_line",
  description: "Put a line at the end of a.txt.",
  input: z.object({ text: z.string() }),
  output: z.object({ lines: z.number() }),
  access: "write",
  examples: [{ input: { text: "hello" } }],
  async handler({ text }, { filesystem, session }) {
    const { content } = await filesystem.read("a.txt");
    await filesystem.write("a.txt", `${content}${text}\n`);
    session.dispatch(Line({ text }));
    const lines = content.split("\n").length;
    return ok({ lines }, `There are ${lines} lines.`);
  },
});

const breakFile = defineTool({
  name: "break_file",
  description: "Write to a.txt, and fail.",
  input: nothing,
  access: "write",
  async handler(_, { filesystem, session }) {
    await filesystem.write("a.txt", "broken");
    session.dispatch(Line({ text: "broken" }));
    return fail("It did not work.", { hint: "Use add_line." });
  },
});

const look = defineTool({
  name: "look",
  description: "Show a.txt, and what the session knows of it.",
  input: nothing,
  output: z.object({ content: z.string(), events: z.array(z.string()) }),
  access: "read",
  async handler(_, { filesystem, session }) {
    const { content } = await filesystem.read("a.txt");
    const events = session
      .slice(Lines)
      .all()
      .map(({ text }) => text);
    return ok({ content, events }, "This is it.");
  },
});

/** Changes both, and then waits until it is cancelled. */
const hang = defineTool({
  name: "hang",
  description: "Write to a.txt, and never end.",
  input: nothing,
  access: "write",
  async handler(_, { filesystem, session, signal }) {
    await filesystem.write("a.txt", "half");
    session.dispatch(Line({ text: "half" }));
    return await new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  },
});

const draw = defineTool({
  name: "draw",
  description: "Draw a pixel.",
  input: nothing,
  access: "read",
  handler: () =>
    ok(undefined, "A pixel.", { images: [{ mediaType: "image/png" as const, data: PIXEL }] }),
});

const runProgram = defineTool({
  name: "run_program",
  description: "Do anything at all.",
  input: nothing,
  access: "opaque",
  handler: () => ok([1, 2], "Ran."),
});

const extraTool = defineTool({
  name: "extra_tool",
  description: "Comes with its section.",
  input: nothing,
  access: "read",
  handler: () => ok(undefined, "Extra."),
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem({ files: { "a.txt": "" } });
}

/** A prompt with one file, and with tools for every kind of outcome. */
export function editor() {
  const files = new Files({
    key: "files",
    title: "Files",
    template: "There is one file, `a.txt`.",
    tools: [addLine, breakFile, look, hang, draw, runProgram],
    slices: [Lines],
  });
  const extra = new MarkdownSection({
    key: "extra",
    title: "Extra",
    template: "More of it.",
    summary: "There is more.",
    visibility: "summary",
    tools: [extraTool],
  });
  const template = new PromptTemplate({ ns: "tests", key: "editor", sections: [files, extra] });
  const session = new Session();
  return {
    prompt: new Prompt(template).bind({}),
    session,
    content: async () => (await files.filesystem.read("a.txt")).content,
    events: () =>
      session
        .slice(Lines)
        .all()
        .map(({ text }) => text),
  };
}
