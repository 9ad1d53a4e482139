// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.

import type { Filesystem } from "@wink/filesystem";
import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { Deadline } from "../budget/deadline.js";
import type { ProviderAdapter } from "../protocol/provider-adapter.js";
import { fail, ok } from "../protocol/tool-result.js";
import { MarkdownSection } from "../section/markdown-section.js";
import type { AnySection } from "../section/section.js";
import { defineTool } from "../tool/define-tool.js";
import { Prompt } from "./prompt.js";
import { PromptTemplate } from "./prompt-template.js";

/*
 * The program from the design document, line by line. This package cannot import `@wink/tools` and
 * `@wink/adapters`, so these classes replace theirs with the same shape.
 */
class VfsToolsSection extends MarkdownSection<"vfs"> {
  readonly filesystem: Filesystem = new InMemoryFilesystem();
  static async create(_: { readonly session: Session }): Promise<VfsToolsSection> {
    return new VfsToolsSection({ key: "vfs", title: "Files", template: "You have files." });
  }
}
class WorkspaceDigestSection extends MarkdownSection<"digest"> {
  constructor(_: { readonly session: Session }) {
    super({ key: "digest", title: "Digest", template: "What is in the workspace." });
  }
}
class PlanningToolsSection extends MarkdownSection<"planning"> {
  constructor(_: { readonly session: Session; readonly strategy: "react" }) {
    super({ key: "planning", title: "Planning", template: "Plan first." });
  }
}
declare const adapter: ProviderAdapter;
const Review = z.object({ verdict: z.string(), issues: z.array(z.string()).default([]) });

const session = new Session();
const workspace = await VfsToolsSection.create({ session });

const countTodos = defineTool({
  name: "count_todos",
  description: "Count TODO comments under a folder.",
  input: z.object({ path: z.string().default(".") }),
  access: "read",
  async handler({ path }, { filesystem }) {
    const matches = await filesystem.grep("TODO", { path });
    return ok({ count: matches.length }, `${matches.length} TODOs under ${path}.`);
  },
});
expectTypeOf(countTodos.name).toEqualTypeOf<"count_todos">();

const template = new PromptTemplate({
  ns: "examples",
  key: "reviewer",
  output: Review,
  sections: [
    new MarkdownSection({
      key: "task",
      title: "Task",
      params: z.object({ focus: z.string() }),
      template: "Review this code for ${focus}.",
      tools: [countTodos],
    }),
    new WorkspaceDigestSection({ session }),
    new PlanningToolsSection({ session, strategy: "react" }),
    workspace,
  ],
});

const prompt = new Prompt(template).bind({ task: { focus: "error handling" } });
expectTypeOf(prompt.filesystem()).toEqualTypeOf<Filesystem | undefined>();
expectTypeOf(prompt.filesystem() === workspace.filesystem).toEqualTypeOf<boolean>();

const { output } = await adapter.evaluate(prompt, { session, deadline: Deadline.in("2m") });
expectTypeOf(output).toEqualTypeOf<{ verdict: string; issues: string[] }>();

// Keys and shapes are inferred, so mistakes do not compile.
// @ts-expect-error nothing is bound
new Prompt(template).bind();
// @ts-expect-error the section is missing
new Prompt(template).bind({});
// @ts-expect-error unknown section
new Prompt(template).bind({ task: { focus: "x" }, other: {} });
// @ts-expect-error the section takes no parameters
new Prompt(template).bind({ task: { focus: "x" }, planning: {} });
// @ts-expect-error the parameter is missing
new Prompt(template).bind({ task: {} });
// @ts-expect-error unknown parameter
new Prompt(template).bind({ task: { focus: "x", depth: 2 } });
// @ts-expect-error the parameter is of another type
new Prompt(template).bind({ task: { focus: 3 } });
// @ts-expect-error a prompt that is not bound cannot be run
adapter.evaluate(new Prompt(template), { session });
// @ts-expect-error nor rendered
new Prompt(template).render({ session });
// @ts-expect-error 2 what?
Deadline.in("2 parsecs");
// @ts-expect-error a run needs a session
adapter.evaluate(prompt, {});

defineTool({
  name: "wrong_value",
  description: "Says something else than its output.",
  input: z.object({}),
  output: z.object({ count: z.number() }),
  access: "read",
  // @ts-expect-error the value is not what output says
  async handler() {
    return ok({ count: "three" }, "Counted.");
  },
});

const both = defineTool({
  name: "both",
  description: "Succeeds or fails.",
  input: z.object({ limit: z.number().default(3) }),
  output: z.object({ count: z.number() }),
  access: "read",
  examples: [{ input: {}, output: { count: 3 } }],
  handler({ limit }) {
    expectTypeOf(limit).toEqualTypeOf<number>();
    return limit > 3 ? fail("Too many.", { hint: "Ask for fewer." }) : ok({ count: limit }, "ok");
  },
  render: ({ count }) => `${count}`,
});
const result = await both.handler({ limit: 3 }, {} as never);
if (result.success) expectTypeOf(result.value).toEqualTypeOf<{ count: number }>();
else expectTypeOf(result.hint).toEqualTypeOf<string | undefined>();

defineTool({
  name: "wrong_example",
  description: "Has an example that does not fit.",
  input: z.object({ path: z.string() }),
  access: "read",
  // @ts-expect-error the example's field is misspelt
  examples: [{ input: { pth: "." } }],
  handler: () => ok(undefined, "Done."),
});

defineTool({
  name: "no_such_access",
  description: "Has an access that there is none of.",
  input: z.object({}),
  // @ts-expect-error access is one of three words
  access: "delete",
  handler: () => ok(undefined, "Done."),
});

defineTool({
  name: "no_result",
  description: "Answers with no result.",
  input: z.object({}),
  access: "read",
  // @ts-expect-error a handler answers with ok or fail
  handler: () => "done",
});

// Nested sections are bound by path, defaults are optional, and without parameters there is no
// argument.
const nested = new PromptTemplate({
  ns: "examples",
  key: "nested",
  sections: [
    new MarkdownSection({
      key: "outer",
      title: "Outer",
      template: "All of it.",
      children: [
        new MarkdownSection({
          key: "inner",
          title: "Inner",
          params: z.object({ name: z.string(), count: z.number() }),
          defaults: { count: 1 },
          template: "${count} of ${name}.",
          enabled: ({ count }, session) => {
            expectTypeOf(count).toEqualTypeOf<number>();
            expectTypeOf(session).toEqualTypeOf<Session>();
            return count > 0;
          },
        }),
      ],
    }),
  ],
});
new Prompt(nested).bind({ "outer/inner": { name: "Ada" } });
new Prompt(nested).bind({ "outer/inner": { name: "Ada", count: 2 } });
// @ts-expect-error the key of a nested section is its whole path
new Prompt(nested).bind({ inner: { name: "Ada" } });
new MarkdownSection({
  key: "a",
  title: "A",
  template: "",
  params: z.object({ c: z.number() }),
  // @ts-expect-error a default of another type
  defaults: { c: "1" },
});

const plain = new PromptTemplate({
  ns: "examples",
  key: "plain",
  sections: [new MarkdownSection({ key: "a", title: "A", template: "Hello." })],
});
new Prompt(plain).render();
new Prompt(plain).bind().render({ session });
const { output: none } = await adapter.evaluate(new Prompt(plain), { session });
expectTypeOf(none).toEqualTypeOf<undefined>();

// The compiler cannot know the keys of these sections, so bind checks them at run time.
declare const unknownSections: readonly AnySection[];
const wide = new PromptTemplate({ ns: "examples", key: "wide", sections: unknownSections });
new Prompt(wide).render({ session });
new Prompt(wide).bind({ whatever: { it: "takes" } }).render({ session });
// @ts-expect-error parameters are an object all the same
new Prompt(wide).bind({ whatever: 3 });
