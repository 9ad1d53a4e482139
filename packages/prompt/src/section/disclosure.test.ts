import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { ok } from "../protocol/tool-result.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { createToolContext } from "../testing.js";
import { defineTool } from "../tool/define-tool.js";
import { renderResult } from "../tool/render-result.js";
import { MarkdownSection } from "./markdown-section.js";
import { OpenSections } from "./opened-sections.js";

it("a summarised section shows its summary and how to open it, and none of its text (PR-6)", () => {
  const { prompt, session } = setup();
  const { text, tools } = prompt.render({ session });
  expect(text).toBe(
    [
      "## 1. Manual",
      "There is a manual.",
      '(In summary. `open_sections` with "manual" opens it, `read_section` shows it once.)',
      "## 2. Task",
      "Do it.",
    ].join("\n\n"),
  );
  expect(tools.map(({ name }) => name)).toEqual(["open_sections", "read_section"]);
});

it("open_sections opens a section for the next rendering, as an event (PR-7)", async () => {
  const { prompt, session, call } = setup();
  const before = prompt.render({ session });
  const result = await call("open_sections", { section_keys: ["manual"], reason: "to learn" });
  expect(result).toEqual({
    success: true,
    value: { opened: ["manual"] },
    message: "Opened manual; shown in full from the next turn on.",
  });
  expect(before.text).toContain("There is a manual.");
  const { text, tools } = prompt.render({ session });
  expect(text).toBe(
    [
      "## 1. Manual",
      "All of the manual.",
      "### 1.1 Chapter",
      "A chapter.",
      "## 2. Task",
      "Do it.",
    ].join("\n\n"),
  );
  expect(tools.map(({ name }) => name)).toEqual(["look_up", "chapter_tool"]);
  expect(session.events.of(OpenSections).map(({ payload }) => payload)).toEqual([
    { prompt: "tests/disclosure", sections: ["manual"], reason: "to learn" },
  ]);
});

it("opened sections belong to one session and one prompt (PR-7)", async () => {
  const { prompt, session, call, sections } = setup();
  const other = new Prompt(new PromptTemplate({ ns: "tests", key: "other", sections }));
  await call("open_sections", { section_keys: ["manual"] });
  expect(prompt.render({ session: new Session() }).text).toContain("There is a manual.");
  expect(other.render({ session }).text).toContain("There is a manual.");
});

it("restoring an older session state closes a section again (PR-7)", async () => {
  const { prompt, session, call } = setup();
  prompt.render({ session });
  const snapshot = session.snapshot();
  await call("open_sections", { section_keys: ["manual"] });
  session.restore(snapshot);
  expect(prompt.render({ session }).text).toContain("There is a manual.");
});

it("read_section shows a section without opening it (PR-8)", async () => {
  const { prompt, session, call } = setup();
  const { text } = prompt.render({ session });
  const shown = "## Manual\n\nAll of the manual.\n\n### 1. Chapter\n\nA chapter.";
  const result = await call("read_section", { section_key: "manual" });
  expect(result).toEqual({ success: true, value: shown, message: "The section 'manual'." });
  expect(renderResult(tool(prompt, session, "read_section"), result)).toBe(
    `The section 'manual'.\n\n${shown}`,
  );
  expect(await call("read_section", { section_key: "manual/chapter" })).toMatchObject({
    value: "## Chapter\n\nA chapter.",
  });
  expect(prompt.render({ session }).text).toBe(text);
  expect(session.events.length).toBe(0);
});

it.each([
  {
    name: "open_sections",
    input: { section_keys: ["task", "manul"] },
    message: "Not summarised: task, manul.",
    hint: "Sections that can be opened: manual.",
  },
  {
    name: "read_section",
    input: { section_key: "nothing" },
    message: "Section 'nothing' does not exist.",
    hint: "Sections in summary: manual.",
  },
  {
    name: "read_section",
    input: { section_key: "hidden/inside" },
    message: "Section 'hidden/inside' does not exist.",
    hint: "Sections in summary: manual.",
  },
])("$name answers $input with the possible sections (PR-8)", async (row) => {
  const { call, session } = setup();
  const { name, input, message, hint } = row;
  expect(await call(name, input)).toEqual({ success: false, message, hint });
  expect(session.events.length).toBe(0);
});

function setup() {
  const sections = [
    new MarkdownSection({
      key: "manual",
      title: "Manual",
      template: "All of the manual.",
      summary: "There is a manual.",
      visibility: "summary",
      tools: [namedTool("look_up")],
      children: [
        new MarkdownSection({
          key: "chapter",
          title: "Chapter",
          template: "A chapter.",
          tools: [namedTool("chapter_tool")],
        }),
      ],
    }),
    new MarkdownSection({ key: "task", title: "Task", template: "Do it." }),
    new MarkdownSection({
      key: "hidden",
      title: "Hidden",
      template: "Not for you.",
      enabled: false,
      children: [new MarkdownSection({ key: "inside", title: "Inside", template: "Nor this." })],
    }),
  ] as const;
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "disclosure", sections }));
  const session = new Session();
  const call = async (name: string, input: unknown) =>
    tool(prompt, session, name).handler(input, createToolContext({ prompt, session }));
  return { prompt, session, call, sections };
}

function tool(prompt: ReturnType<typeof setup>["prompt"], session: Session, name: string) {
  const found = prompt.render({ session }).tool(name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function namedTool(name: string) {
  return defineTool({
    name,
    description: "Does nothing.",
    input: z.object({}),
    access: "read",
    handler: () => ok(undefined, "Done."),
  });
}
