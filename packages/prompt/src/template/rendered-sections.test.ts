import { expect, it } from "vitest";
import { MarkdownSection } from "../section/markdown-section.js";
import { Prompt } from "./prompt.js";
import { PromptTemplate } from "./prompt-template.js";

it("the sections of a rendered prompt cover its text, in order, and name how they are shown (RUN-3)", () => {
  const inner = new MarkdownSection({ key: "inner", title: "Inner", template: "Below.\n\n## Odd" });
  const sections = [
    new MarkdownSection({ key: "one", title: "One", template: "First.", children: [inner] }),
    new MarkdownSection({ key: "empty", title: "Empty", template: "" }),
    new MarkdownSection({
      ...{ key: "long", title: "Long", template: "All of it." },
      ...{ summary: "In short.", visibility: "summary" },
    }),
  ];
  const rendered = new Prompt(new PromptTemplate({ ns: "tests", key: "a", sections }))
    .bind({})
    .render();
  const shown = rendered.sections.map(({ path, title, visibility, start, end }) => [
    ...[path, title, visibility],
    rendered.text.slice(start, end).trim().split("\n")[0],
  ]);
  expect(shown).toEqual([
    ["one", "One", "full", "## 1. One"],
    ["one/inner", "Inner", "full", "### 1.1 Inner"],
    ["empty", "Empty", "full", "## 2. Empty"],
    ["long", "Long", "summary", "## 3. Long"],
  ]);
  const whole = rendered.sections.map(({ start, end }) => rendered.text.slice(start, end)).join("");
  expect(whole).toBe(rendered.text);
});
