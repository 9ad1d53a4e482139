// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { MarkdownSection } from "./markdown-section.js";
import { compileTemplate } from "./section-template.js";

it.each([
  { source: "For ${name}.", values: { name: "Ada" }, text: "For Ada." },
  { source: "${a}${b}${a}", values: { a: 1, b: true }, text: "1true1" },
  { source: "$$5 and $${name}", values: {}, text: "$5 and ${name}" },
  { source: "$$$${name}", values: {}, text: "$${name}" },
  { source: "$$${name}", values: { name: "x" }, text: "$x" },
  { source: "a $ b, $5, $name, 10$", values: {}, text: "a $ b, $5, $name, 10$" },
  { source: "", values: {}, text: "" },
])("a template renders `$source` as `$text` (PR-1)", ({ source, values, text }) => {
  expect(compileTemplate(source, "here").fill(values)).toBe(text);
});

it.each(["${", "${}", "${a b}", "${a.b}", "${1a}", "${name", "${a${b}}", "${ name }"])(
  "a template refuses `%s`, which is not a placeholder (PR-1)",
  (source) => {
    expect(() => compileTemplate(source, "here")).toThrow(
      expect.objectContaining({ code: "PLACEHOLDER_UNKNOWN", subject: "here" }),
    );
  },
);

it.each(["${name}", "$$", "$${name}", "$&", "$1", "\\${name}", "$`"])(
  "a template inserts %s unchanged (PR-2)",
  (name) => {
    expect(compileTemplate("<${name}>", "here").fill({ name })).toBe(`<${name}>`);
  },
);

it("a template inserts any text once and unchanged (PR-2)", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (one, other) => {
      expect(compileTemplate("a${x}b${y}c${x}", "here").fill({ x: one, y: other })).toBe(
        `a${one}b${other}c${one}`,
      );
    }),
  );
});

it("a template caches no text for values that are mutable or different (PR-2)", () => {
  const { fill } = compileTemplate("<${x}>", "here");
  const open = { x: 1 };
  const [one, two] = [Object.freeze({ x: "one" }), Object.freeze({ x: "two" })];
  expect([fill(open), fill(one), fill(one), fill(two)]).toEqual(["<1>", "<one>", "<one>", "<two>"]);
  fill(open);
  open.x = 2;
  expect([fill(open), fill(one)]).toEqual(["<2>", "<one>"]);
});

it.each(["template", "summary"])("a section checks the placeholders of a %s (PR-1)", (part) => {
  const texts = { template: "", summary: "", [part]: "For ${nmae} and ${b}." };
  const params = z.object({ name: z.string() });
  expect(() => new MarkdownSection({ key: "task", title: "Task", params, ...texts })).toThrow(
    `section 'task': unknown placeholder \${nmae}, \${b}${part === "summary" ? " in the summary" : ""}. Parameters: name.`,
  );
});

it("the error for a section without parameters says that it takes none (PR-1)", () => {
  expect(() => new MarkdownSection({ key: "task", title: "Task", template: "${name}" })).toThrow(
    "section 'task': unknown placeholder ${name}. Parameters: none.",
  );
});
