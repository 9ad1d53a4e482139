import { runToolCall } from "@wink/adapters";
import { Prompt, PromptTemplate, type RenderedTool } from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { expect, it, vi } from "vitest";

it("edit_file is checked once, runs once, resolves its path once, and records three events (AD-7, AD-9)", async () => {
  const session = new Session();
  const section = await VfsToolsSection.create({ session, files: { "a.txt": "one\n" } });
  const template = new PromptTemplate({ ns: "tests", key: "edit", sections: [section] });
  const rendered = new Prompt(template).bind({}).render({ session });
  const counts = { schema: 0, handler: 0, changes: 0 };
  const counted = (tool: RenderedTool): RenderedTool => ({
    ...tool,
    handler(input, context) {
      counts.handler++;
      return tool.handler(input, context);
    },
    files: {
      ...tool.files,
      changes(input) {
        counts.changes++;
        return tool.files?.changes?.(input) ?? [];
      },
    },
  });
  let calls = 0;
  const call = (toolName: string, args: object) =>
    runToolCall({
      rendered: {
        ...rendered,
        prompt: rendered.prompt,
        tools: rendered.tools,
        tool: (name) => {
          const tool = rendered.tool(name);
          return tool && counted(tool);
        },
      },
      adapter: noAdapter,
      session,
      call: { toolCallId: `call-${++calls}`, toolName, arguments: JSON.stringify(args) },
    });
  expect((await call("read_file", { file_path: "a.txt" })).status).toBe("succeeded");

  // Every way to validate with a zod schema goes through `_zod.run`.
  const schema = rendered.tool("edit_file")?.input as unknown as {
    readonly _zod: { run: (...args: unknown[]) => unknown };
  };
  const run = vi.spyOn(schema._zod, "run");
  const stat = vi.spyOn(section.filesystem, "stat");
  Object.assign(counts, { schema: 0, handler: 0, changes: 0 });
  const { lastSequence } = session.events;
  const edit = { file_path: "./a.txt", old_string: "one", new_string: "two" };
  expect((await call("edit_file", edit)).status).toBe("succeeded");

  expect({ ...counts, schema: run.mock.calls.length }).toEqual({
    schema: 1,
    handler: 1,
    changes: 1,
  });
  // The policy's. The revision that the model then knows comes from the write.
  expect(stat).toHaveBeenCalledTimes(1);
  const events = session.events.toArray().filter(({ sequence }) => sequence > lastSequence);
  expect(events.map(({ type }) => type)).toEqual([
    "run.start-tool-call",
    "files.edit",
    "run.end-tool-call",
  ]);
  // The model knows what it wrote, so it can edit the file again.
  const again = { ...edit, old_string: "two", new_string: "three" };
  expect((await call("edit_file", again)).status).toBe("succeeded");
});
