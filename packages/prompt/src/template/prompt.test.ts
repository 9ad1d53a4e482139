// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.
import { createHash } from "node:crypto";
import { defineState, Session } from "@wink/session";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { isPromptError } from "../error/prompt-error.js";
import { allow } from "../protocol/policy.js";
import { ok } from "../protocol/tool-result.js";
import { sha256 } from "../schema/sha-256.js";
import { MarkdownSection } from "../section/markdown-section.js";
import type { AnySection } from "../section/section.js";
import { defineTool } from "../tool/define-tool.js";
import { Prompt } from "./prompt.js";
import { PromptTemplate } from "./prompt-template.js";

it.each([
  {
    name: "two sections with the same key",
    sections: () => [plain("a", [plain("b"), plain("b")])],
    message: "section 'a/b': two sibling sections have this key. Rename one.",
  },
  {
    name: "two tools with the same name",
    sections: () => [withTool("one"), plain("two", [withTool("inner")])],
    message:
      "tool 'look': sections 'one' and 'two/inner' both have a tool of this name. Give one section a toolPrefix.",
  },
  {
    name: "two tools with the same name in one section",
    sections: () => [withTool("one", { tools: [look("look"), look("look")] })],
    message: "tool 'look': section 'one' has two tools of this name. Rename one.",
  },
  {
    name: "a tool with the name of a built-in tool",
    sections: () => [withTool("one", { tools: [look("open_sections")] })],
    message:
      "tool 'open_sections': every prompt has a built-in tool of this name. Give section 'one' a toolPrefix.",
  },
  {
    name: "a prefix that makes a name too long",
    sections: () => [
      withTool("one", { toolPrefix: "p".repeat(32), tools: [look("l".repeat(40))] }),
    ],
    message: "its name with the toolPrefix of section 'one' has more than 64 characters.",
  },
  {
    name: "a value that is not a section",
    sections: () => [{ key: "a" } as unknown as AnySection],
    message: "template 'tests/bad': sections[0] must be a section, got an object.",
  },
])("a template with $name is refused (PR-13)", ({ sections, message }) => {
  const make = () => new PromptTemplate({ ns: "tests", key: "bad", sections: sections() });
  expect(make).toThrow(message);
});

it("a toolPrefix distinguishes tools with the same name (PR-13)", () => {
  const sections = [withTool("one"), withTool("two", { toolPrefix: "two_" })];
  const { tools } = new Prompt(new PromptTemplate({ ns: "tests", key: "a", sections })).render();
  expect(tools.map(({ name, section }) => `${section} ${name}`)).toEqual([
    "one look",
    "two two_look",
  ]);
});

it("template.section finds a section by its path (PR-3)", () => {
  const [inner, outer] = [plain("inner"), plain("other")];
  const sections = [plain("a", [inner]), outer];
  const made = new PromptTemplate({ ns: "tests", key: "paths", sections });
  expect(made.section("a/inner")).toBe(inner);
  expect(made.section("other")).toBe(outer);
  expect(made.section("inner")).toBe(undefined);
});

it.each([
  { ns: "", key: "a" },
  { ns: "a//b", key: "a" },
  { ns: "../a", key: "a" },
  { ns: "a", key: "a/b" },
  { ns: "a", key: ".hidden" },
  { ns: "a", key: "" },
])("a template refuses the names $ns and $key (PR-13)", ({ ns, key }) => {
  expect(() => new PromptTemplate({ ns, key, sections: [] })).toThrow(
    expect.objectContaining({ code: "TEMPLATE_INVALID", subject: `template '${ns}/${key}'` }),
  );
});

it("a template refuses an output without a JSON form (PR-13)", () => {
  const output = z.object({ when: z.date() });
  expect(() => new PromptTemplate({ ns: "tests", key: "a", sections: [], output })).toThrow(
    "template 'tests/a': output field 'when' (date) has no JSON Schema form. Use a string, a number, a boolean, an array or an object.",
  );
});

it.each([
  { bindings: {}, message: "section 'task': missing parameter 'name'. Pass it to bind." },
  { bindings: { task: {} }, message: "section 'task': missing parameter 'name'. Pass it to bind." },
  {
    bindings: { task: { name: 3 } },
    message: "section 'task': parameter 'name' must be a string, got 3.",
  },
  { bindings: { task: null }, message: "section 'task': parameters must be an object, got null." },
  {
    bindings: { task: { name: "Ada", nmae: "Bob" } },
    message: "section 'task': unknown parameter 'nmae'. Did you mean 'name'?",
  },
  {
    bindings: { task: { name: "Ada" }, tsak: {} },
    message: "bind: unknown section 'tsak'. Did you mean 'task'?",
  },
  {
    bindings: { task: { name: "Ada" }, outer: {} },
    message: "section 'outer': it takes no parameters.",
  },
  {
    bindings: { task: { name: "Ada" }, "outer/inner": { count: "many" } },
    message: "section 'outer/inner': parameter 'count' must be a number, got \"many\".",
  },
  {
    bindings: { task: { name: "Ada" }, "outer/inner": { list: ["a"] } },
    message:
      "section 'outer/inner': parameter 'list' is used in the text, so it must be a string, a number or a boolean, got an array.",
  },
])("bind refuses $bindings (PR-14, PR-2)", ({ bindings, message }) => {
  // The compiler would reject most of these, too.
  const bind = () => new Prompt(template()).bind(bindings as never);
  expect(bind).toThrow(message);
});

it("bind binds parameters by key and path, with the section's and the schema's defaults (PR-14)", () => {
  const prompt = new Prompt(template());
  const text = (bindings: Parameters<typeof prompt.bind>[0]) => prompt.bind(bindings).render().text;
  expect(text({ task: { name: "Ada" } })).toBe(
    "## 1. Task\n\nFor Ada.\n\n## 2. Outer\n\nAll.\n\n### 2.1 Inner\n\n1 of none.",
  );
  expect(text({ task: { name: "Bob" }, "outer/inner": { count: 2, list: "two" } })).toBe(
    "## 1. Task\n\nFor Bob.\n\n## 2. Outer\n\nAll.\n\n### 2.1 Inner\n\n2 of two.",
  );
});

it.each(["constructor", "valueof", "prototype"])("%s is a valid section key (PR-14)", (key) => {
  const params = z.object({ to_string: z.string().default("text") });
  const section = new MarkdownSection({ key, title: "T", params, template: "A ${to_string}." });
  const sections = [section, plain(`${key}-2`, [plain(key)])];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "names", sections })).bind();
  expect(prompt.render().text).toContain("A text.");
});

it("an unbound prompt cannot be rendered (PR-14)", () => {
  const prompt = new Prompt(template()) as unknown as Prompt<
    readonly AnySection[],
    undefined,
    true
  >;
  expect(() => prompt.render()).toThrow(
    "prompt 'tests/bound': the parameters of 'task' are not bound. Call bind() first.",
  );
});

it("bind returns a new prompt and does not change the old one (PR-14)", () => {
  const prompt = new Prompt(template());
  const [ada, bob] = [prompt.bind({ task: { name: "Ada" } }), prompt.bind({ task: { name: "B" } })];
  expect(ada.render().text).toContain("For Ada.");
  expect(bob.render().text).toContain("For B.");
});

it("render returns the same bytes for the same input (PR-15)", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.boolean(), (name, count, isOn) => {
      const render = () => {
        const sections = [
          plain("first"),
          new MarkdownSection({
            key: "second",
            title: "Second",
            params: z.object({ name: z.string(), count: z.number() }),
            template: "${count} times ${name}",
            enabled: isOn,
          }),
        ] as const;
        const made = new PromptTemplate({ ns: "tests", key: "same", sections });
        const { text, descriptor } = new Prompt(made)
          .bind({ second: { name, count } })
          .render({ session: new Session() });
        return { text, descriptor };
      };
      expect(render()).toEqual(render());
    }),
  );
});

it("the descriptor contains hashes of the texts (PR-16)", () => {
  const made = new PromptTemplate({
    ns: "tests",
    key: "described",
    name: "A prompt",
    sections: [plain("a", [withTool("b")])],
  });
  const { descriptor } = made;
  expect(descriptor).toMatchObject({
    ns: "tests",
    key: "described",
    name: "A prompt",
    sections: [
      { path: "a", hash: createHash("sha256").update("Text of a.").digest("hex") },
      { path: "a/b", hash: createHash("sha256").update("Text of b.").digest("hex") },
    ],
    tools: [{ name: "look", section: "a/b", hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
  const again = new PromptTemplate({
    ns: "tests",
    key: "described",
    name: "A prompt",
    sections: [plain("a", [withTool("b")])],
  });
  expect(again.descriptor).toEqual(descriptor);
  const changed = withTool("b", { tools: [look("look", "Looks again.")] });
  const other = new PromptTemplate({
    ns: "tests",
    key: "described",
    name: "A prompt",
    sections: [plain("a", [changed])],
  });
  expect(other.descriptor.tools[0]?.hash).not.toBe(descriptor.tools[0]?.hash);
  expect(other.descriptor.hash).not.toBe(descriptor.hash);
});

it("sha256 computes SHA-256 (PR-16)", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 0x10ffff }), { maxLength: 300 }), (codePoints) => {
      // Lone surrogates are included. Both sides encode them as U+FFFD.
      const text = String.fromCodePoint(...codePoints);
      expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
    { examples: [0, 55, 56, 63, 64].map((length) => [Array(length).fill(120)]) },
  );
});

it("render installs the slices of sections and policies (PR-17)", () => {
  const [One, Two, Three] = ["one", "two", "three"].map((name) =>
    defineState({ name: `tests.${name}`, schema: z.number(), initial: 0 }),
  );
  const rule = (slice: typeof Two) => ({
    name: "rule",
    slices: slice ? [slice] : [],
    check: allow,
  });
  const section = new MarkdownSection({
    key: "a",
    title: "A",
    template: "",
    slices: One ? [One] : [],
    policies: [rule(Two)],
  });
  const made = new PromptTemplate({
    ns: "tests",
    key: "slices",
    sections: [section],
    policies: [rule(Three)],
  });
  const session = new Session();
  new Prompt(made).render({ session });
  expect(Object.keys(session.toJSON().slices)).toEqual(
    expect.arrayContaining(["tests.one", "tests.two", "tests.three"]),
  );
});

it("a rendered prompt has an output schema if the template has one", () => {
  const output = z.object({ verdict: z.string().describe("In one word.") });
  const made = new PromptTemplate({ ns: "tests", key: "output", sections: [], output });
  expect(new Prompt(made).render().output).toEqual({
    schema: output,
    jsonSchema: {
      type: "object",
      properties: { verdict: { type: "string", description: "In one word." } },
      required: ["verdict"],
      additionalProperties: false,
    },
  });
  expect(new Prompt(template()).bind({ task: { name: "A" } }).render().output).toBe(undefined);
});

it("isPromptError recognises errors from another copy of the package", () => {
  const error = catching(() => new PromptTemplate({ ns: "", key: "", sections: [] }));
  expect(isPromptError(error)).toBe(true);
  expect(isPromptError(error, "TEMPLATE_INVALID")).toBe(true);
  expect(isPromptError(error, "KEY_TAKEN")).toBe(false);
  expect(isPromptError(new Error("TEMPLATE_INVALID"))).toBe(false);
});

function template() {
  return new PromptTemplate({
    ns: "tests",
    key: "bound",
    sections: [
      new MarkdownSection({
        key: "task",
        title: "Task",
        params: z.object({ name: z.string(), note: z.string().optional() }),
        template: "For ${name}.",
      }),
      new MarkdownSection({
        key: "outer",
        title: "Outer",
        template: "All.",
        children: [
          new MarkdownSection({
            key: "inner",
            title: "Inner",
            params: z.object({
              count: z.number(),
              list: z.union([z.string(), z.array(z.string())]).default("none"),
            }),
            defaults: { count: 1 },
            template: "${count} of ${list}.",
          }),
        ],
      }),
    ],
  });
}

function plain(key: string, children: readonly AnySection[] = []): AnySection {
  return new MarkdownSection({ key, title: key, template: `Text of ${key}.`, children });
}

interface ToolOptions {
  readonly tools?: readonly ReturnType<typeof look>[];
  readonly toolPrefix?: string;
}

function withTool(key: string, options: ToolOptions = {}): AnySection {
  return new MarkdownSection({
    key,
    title: key,
    template: `Text of ${key}.`,
    tools: [look("look")],
    ...options,
  });
}

function look(name: string, description = "Looks.") {
  return defineTool({
    name,
    description,
    input: z.object({}),
    access: "read",
    handler: () => ok(undefined, "Looked."),
  });
}

function catching(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error;
  }
}

it("a prompt can get further sections, which are not part of the template (PR-39)", () => {
  const task = new MarkdownSection({
    ...{ key: "task", title: "Task", params: z.object({ what: z.string() }) },
    template: "Do ${what}.",
  });
  const template = new PromptTemplate({ ns: "tests", key: "more", sections: [task] });
  const prompt = new Prompt(template).bind({ task: { what: "it" } });
  const more = prompt.with(plain("rules"), withTool("tools"));
  expect(more.render().text).toContain("Do it.");
  expect(more.render().sections.map(({ path }) => path)).toEqual(["task", "rules", "tools"]);
  expect(more.render().tools.map(({ name }) => name)).toContain("look");
  expect(more.render().descriptor.hash).toBe(prompt.render().descriptor.hash);
  expect(prompt.render().sections).toHaveLength(1);
  expect(() => prompt.with(plain("task"))).toThrow("two sibling sections have this key");
});
