// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { ok } from "../protocol/tool-result.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { defineTool } from "../tool/define-tool.js";
import { MarkdownSection } from "./markdown-section.js";
import { type AnySection, Section } from "./section.js";

it("headings are numbered by level, without gaps for disabled sections (PR-3)", () => {
  const prompt = promptOf(
    plain("a", { children: [plain("a1"), plain("a2", { enabled: false }), plain("a3")] }),
    plain("b", { enabled: false, children: [plain("b1")] }),
    plain("c", { children: [plain("c1", { children: [plain("c11")] })] }),
  );
  expect(headings(prompt)).toEqual([
    "## 1. a",
    "### 1.1 a1",
    "### 1.2 a3",
    "## 2. c",
    "### 2.1 c1",
    "#### 2.1.1 c11",
  ]);
});

it("numbering continues below the deepest heading level of Markdown (PR-3)", () => {
  let deepest = plain("s7");
  for (const key of ["s6", "s5", "s4", "s3", "s2", "s1"])
    deepest = plain(key, { children: [deepest] });
  expect(headings(promptOf(deepest)).slice(-3)).toEqual([
    "###### 1.1.1.1.1 s5",
    "###### 1.1.1.1.1.1 s6",
    "###### 1.1.1.1.1.1.1 s7",
  ]);
});

it("one blank line separates heading and text, and an empty text adds nothing", () => {
  const prompt = promptOf(plain("a", { template: "Do it." }), plain("b", { template: "" }));
  expect(prompt.render().text).toBe("## 1. a\n\nDo it.\n\n## 2. b");
});

it("a disabled section is left out with its children and tools (PR-4)", () => {
  const inner = plain("inner", { tools: [tool("inner_tool")] });
  const prompt = promptOf(
    plain("off", { enabled: () => false, tools: [tool("outer_tool")], children: [inner] }),
    plain("on", { tools: [tool("other_tool")] }),
  );
  const { tools, text } = prompt.render();
  expect(tools.map(({ name }) => name)).toEqual(["other_tool"]);
  expect(text).toBe("## 1. on\n\nText of on.");
});

it("functions of a section receive the parameters and the session (PR-4)", () => {
  const seen: unknown[] = [];
  const section = new MarkdownSection({
    key: "task",
    title: "Task",
    params: z.object({ loud: z.boolean(), times: z.number().default(2) }),
    template: "Shout.",
    summary: "Speak.",
    enabled: (params, session) => {
      seen.push(params, session);
      return true;
    },
    visibility: ({ loud }) => (loud ? "full" : "summary"),
  });
  const template = new PromptTemplate({ ns: "tests", key: "a", sections: [section] });
  const session = new Session();
  const loud = new Prompt(template).bind({ task: { loud: true } });
  expect(loud.render({ session }).text).toContain("Shout.");
  expect(seen).toEqual([{ loud: true, times: 2 }, session]);
  const quiet = new Prompt(template).bind({ task: { loud: false } });
  expect(quiet.render({ session }).text).toContain("Speak.");
});

it.each([
  { setting: { enabled: () => throwing() }, message: "section 'a/b': enabled threw an error." },
  {
    setting: { enabled: () => "yes" as unknown as boolean },
    message: "section 'a/b': enabled must return true or false, got a string.",
  },
  {
    setting: { summary: "s", visibility: () => "hidden" as "full" },
    message: "section 'a/b': visibility must return 'full' or 'summary', got a string.",
  },
])("an error in a function names its section: $message (PR-4)", ({ setting, message }) => {
  const prompt = promptOf(plain("a", { children: [plain("b", setting)] }));
  expect(() => prompt.render()).toThrow(
    expect.objectContaining({ code: "PREDICATE_FAILED", message }),
  );
});

it.each([
  { options: { key: "A b" }, reason: "a key has 1 to 64 lower-case letters" },
  { options: { key: "a/b" }, reason: "a key has 1 to 64 lower-case letters" },
  { options: { title: "" }, reason: "title must be one line of text" },
  { options: { title: "a\nb" }, reason: "title must be one line of text" },
  { options: { toolPrefix: "1_" }, reason: "toolPrefix has at most 32" },
  { options: { visibility: "summary" as const }, reason: "needs a summary" },
  { options: { visibility: () => "full" as const }, reason: "needs a summary" },
  { options: { params: {} as never }, reason: "params is not a Standard Schema" },
])("a section refuses $options (PR-5)", ({ options, reason }) => {
  const make = () => new MarkdownSection({ key: "a", title: "A", template: "", ...options });
  expect(make).toThrow(expect.objectContaining({ code: "SECTION_INVALID" }));
  expect(make).toThrow(reason);
});

it("a section refuses defaults for unknown parameters (PR-5)", () => {
  const params = z.object({ name: z.string() });
  const defaults = { nam: "Ada" };
  expect(
    () => new MarkdownSection({ key: "a", title: "A", template: "", params, defaults }),
  ).toThrow("section 'a': unknown parameter 'nam' in defaults. Did you mean 'name'?");
});

it("a subclass can render its text from the session's state", () => {
  class Counter extends Section<"counter", undefined> {
    override render(_: unknown, session: Session): string {
      return `${session.events.length} events so far.`;
    }
  }
  const prompt = promptOf(new Counter({ key: "counter", title: "Counter" }));
  expect(prompt.render().text).toBe("## 1. Counter\n\n0 events so far.");
});

interface Options {
  readonly template?: string;
  readonly summary?: string;
  readonly enabled?: boolean | (() => boolean);
  readonly visibility?: () => "full" | "summary";
  readonly tools?: readonly ReturnType<typeof tool>[];
  readonly children?: readonly AnySection[];
}

function plain(key: string, options: Options = {}): AnySection {
  return new MarkdownSection({ key, title: key, template: `Text of ${key}.`, ...options });
}

function promptOf(...sections: readonly AnySection[]) {
  return new Prompt(new PromptTemplate({ ns: "tests", key: "prompt", sections }));
}

function headings(prompt: ReturnType<typeof promptOf>): readonly string[] {
  return prompt
    .render()
    .text.split("\n")
    .filter((line) => line.startsWith("#"));
}

function tool(name: string) {
  return defineTool({
    name,
    description: "Does nothing.",
    input: z.object({}),
    access: "read",
    handler: () => ok(undefined, "Done."),
  });
}

function throwing(): boolean {
  throw new Error("of another section");
}
