import { expect, it } from "vitest";
import { z } from "zod";
import { MarkdownSection, PromptTemplate, sequential } from "../index.js";

const section = (options: object) =>
  new MarkdownSection({ key: "task", title: "Task", template: "", ...options });

it.each<[mistake: string, make: () => unknown, message: string]>([
  [
    "a tool that is only a definition",
    () => section({ tools: [{ name: "t", input: z.object({}) }] }),
    "section 'task': tools[0] is an object, but it must be a tool. Use defineTool.",
  ],
  [
    "a name instead of a tool",
    () => section({ tools: ["read_file"] }),
    "section 'task': tools[0] is a string, but it must be a tool. Use defineTool.",
  ],
  [
    "a function instead of a policy",
    () => section({ policies: [() => true] }),
    "section 'task': policies[0] is a function, but it must be a policy with a function 'check'.",
  ],
  [
    "a number instead of a policy of a template",
    () => new PromptTemplate({ ns: "a", key: "b", sections: [], policies: [7 as never] }),
    "template 'a/b': policies[0] is a number, but it must be a policy with a function 'check'.",
  ],
  [
    "a text in place of a condition",
    () => section({ enabled: "yes" }),
    "section 'task': enabled must be true, false or a function, got a string.",
  ],
  [
    "a tool instead of its name",
    () => sequential([{ name: "a" }] as never),
    "sequential: expected a list of tool names, got an object.",
  ],
])("%s is refused when the section is created (PR-37)", (_, make, message) => {
  expect(make).toThrow(expect.objectContaining({ name: "PromptError", message }));
});
