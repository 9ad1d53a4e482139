import type { SnapshotableFilesystem } from "@wink/filesystem";
import { MarkdownSection, Prompt, PromptTemplate, type Tool, type ToolContext } from "@wink/prompt";
import type { Session } from "@wink/session";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { defineSubagentTool, type SubagentReport } from "./define-subagent-tool.js";
import { evaluateOnFork } from "./evaluate-on-fork.js";

declare const context: ToolContext;

const template = new PromptTemplate({
  ns: "tests",
  key: "grader",
  output: z.object({ grade: z.number() }),
  sections: [new MarkdownSection({ key: "task", title: "Task", template: "Grade." })],
});

// The model's input has the prompt's type, and the report has the template's output type.
const grade = defineSubagentTool({
  name: "grade",
  description: "Grade a text.",
  input: z.object({ path: z.string(), strict: z.boolean().default(false) }),
  prompt: (input, filesystem, session) => {
    expectTypeOf(input).toEqualTypeOf<{ path: string; strict: boolean }>();
    expectTypeOf(filesystem).toEqualTypeOf<SnapshotableFilesystem>();
    expectTypeOf(session).toEqualTypeOf<Session>();
    return new Prompt(template).bind({});
  },
});
expectTypeOf(grade).toExtend<
  Tool<"grade", { path: string; strict: boolean }, SubagentReport<{ grade: number }>>
>();

const result = await evaluateOnFork(context, { prompt: () => new Prompt(template).bind({}) });
expectTypeOf(result.response.output).toEqualTypeOf<{ grade: number }>();

// @ts-expect-error: unknown value of onConflict.
await evaluateOnFork(context, { prompt: () => new Prompt(template).bind({}), onConflict: "ours" });
