// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.
import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { describeIssue } from "./adapter.js";
import * as api from "./index.js";
import { OverrideStore } from "./overrides.js";
import { createToolContext } from "./testing.js";

// JavaScript has no compiler, so these calls are typed as it sees them.
const js = api as unknown as Readonly<Record<string, new (...args: unknown[]) => never>> & {
  readonly [name in "defineTool" | "defineResource" | "readBeforeWrite" | "deadlineFeedback"]: (
    options?: unknown,
  ) => unknown;
} & { readonly untouchedFeedback: (options?: unknown) => unknown };
const { MarkdownSection, Prompt, PromptTemplate, Budget, Deadline, defineTool, ok } = api;

const names = { ns: "examples", key: "reviewer" };
const task = (options: object = {}) =>
  new MarkdownSection({
    key: "task",
    title: "Task",
    params: z.object({ file: z.string(), times: z.number() }),
    template: "Read ${file} ${times} times.",
    ...options,
  });
const template = () => new PromptTemplate({ ...names, sections: [task()] });
const bind = (bindings: unknown) => new Prompt(template()).bind(bindings as never);
const tool = (options: object = {}) =>
  defineTool({
    name: "t",
    description: "Does it.",
    input: z.object({}),
    access: "read",
    handler: () => ok(1, "Done."),
    ...options,
  });
const section = (key: string, options: object) =>
  new MarkdownSection({ key, title: key, template: "", ...options });
const bound = () => bind({ task: { file: "a.ts", times: 1 } });

const MISTAKES: readonly (readonly [mistake: string, make: () => unknown, message: string])[] = [
  [
    "a wrong key in bind",
    () => bind({ tsak: { file: "a.ts", times: 1 } }),
    "bind: unknown section 'tsak'. Did you mean 'task'?",
  ],
  [
    "a key in bind that resembles nothing",
    () => bind({ whatever: {} }),
    "bind: unknown section 'whatever'. Sections with parameters: task.",
  ],
  [
    "a missing parameter",
    () => bind({ task: { file: "a.ts" } }),
    "section 'task': missing parameter 'times'. Pass it to bind.",
  ],
  [
    "two missing parameters",
    () => bind({}),
    "section 'task': missing parameters 'file', 'times'. Pass them to bind.",
  ],
  [
    "a parameter of a wrong type",
    () => bind({ task: { file: "a.ts", times: "3" } }),
    "section 'task': parameter 'times' must be a number, got \"3\".",
  ],
  [
    "a misspelt parameter",
    () => bind({ task: { file: "a.ts", tims: 3 } }),
    "section 'task': unknown parameter 'tims'. Did you mean 'times'?",
  ],
  [
    "a text as the parameters",
    () => bind("a.ts"),
    "bind: parameters must be an object by section, got a string.",
  ],
  [
    "two tools of one name",
    () =>
      new PromptTemplate({
        ...names,
        sections: [section("a", { tools: [tool()] }), section("b", { tools: [tool()] })],
      }),
    "tool 't': sections 'a' and 'b' both have a tool of this name. Give one section a toolPrefix.",
  ],
  [
    "a wrong access",
    () => tool({ access: "readonly" }),
    "tool 't': access must be one of 'read', 'session', 'write', 'opaque', got \"readonly\".",
  ],
  [
    "a misspelt placeholder",
    () => task({ template: "Read ${flie}.", params: z.object({ file: z.string() }) }),
    "section 'task': unknown placeholder ${flie}. Parameters: file.",
  ],
  [
    "a forgotten bind",
    () => (new Prompt(template()) as never as ReturnType<typeof bind>).render(),
    "prompt 'examples/reviewer': the parameters of 'task' are not bound. Call bind() first.",
  ],
  [
    "an output that does not fit",
    () => {
      const output = z.object({ findings: z.array(z.object({ line: z.number() })) });
      const value = { findings: [{ line: "12" }] };
      const { issues = [] } = output["~standard"].validate(value) as { issues?: [] };
      return new Error(issues.map((issue) => describeIssue(issue, value)).join());
    },
    "field 'findings[0].line' must be a number, got \"12\"",
  ],
  [
    "a date in the input of a tool",
    () => tool({ input: z.object({ when: z.date() }) }),
    "tool 't': input field 'when' (date) has no JSON Schema form. Use a string, a number, a boolean, an array or an object.",
  ],
  [
    "a date in the output of a template",
    () =>
      new PromptTemplate({
        ...names,
        sections: [],
        output: z.object({ days: z.array(z.date()) }),
      }),
    "template 'examples/reviewer': output field 'days[]' (date) has no JSON Schema form. Use a string, a number, a boolean, an array or an object.",
  ],
  [
    "an unknown limit of a budget",
    () => new Budget({ maxTokens: 1000 } as object),
    "budget: unknown limit 'maxTokens'. Use wallMs, tokens, costUsd, toolCalls or bytesWritten.",
  ],
  [
    "a text as an amount",
    () => new Budget({ tokens: "1000" } as never),
    'budget: tokens must be a number of at least 0, got "1000".',
  ],
  [
    "a number as a budget",
    () => new Budget(1000 as never),
    "budget: limits must be an object, got 1000. Use wallMs, tokens, costUsd, toolCalls or bytesWritten.",
  ],
  [
    "a duration with a word",
    () => Deadline.in("2 minutes" as never),
    "duration \"2 minutes\": this is not a duration. Use milliseconds from 0, or a text such as '250ms', '30s', '2m' or '1.5h'.",
  ],
  [
    "no duration",
    () => Deadline.in(undefined as never),
    "duration undefined: this is not a duration. Use milliseconds from 0, or a text such as '250ms', '30s', '2m' or '1.5h'.",
  ],
  [
    "a forgotten await before a section",
    () => new PromptTemplate({ ...names, sections: [Promise.resolve(task())] as never }),
    "template 'examples/reviewer': sections[0] must be a section, got a promise. Write await before it.",
  ],
  [
    "a forgotten await before a child",
    () =>
      new PromptTemplate({
        ...names,
        sections: [section("a", { children: [Promise.resolve(task())] })],
      }),
    "section 'a': children[0] must be a section, got a promise. Write await before it.",
  ],
  [
    "a text as a section",
    () => new PromptTemplate({ ...names, sections: ["Be nice."] as never }),
    "template 'examples/reviewer': sections[0] must be a section, got a string.",
  ],
  [
    "a section instead of a list",
    () => new PromptTemplate({ ...names, sections: task() as never }),
    "template 'examples/reviewer': sections must be an array, got an instance of MarkdownSection.",
  ],
  [
    "a text in place of a template",
    () => new Prompt("Be nice." as never),
    "new Prompt: the first argument must be a PromptTemplate, got a string.",
  ],
  [
    "a session that is not one",
    () => bound().render({ session: "main" as never }),
    "prompt 'examples/reviewer': session must be a Session, got a string. Pass { session: new Session() }.",
  ],
  [
    "a section without a template",
    () => section("a", { template: undefined }),
    "section 'a': template must be a string, got undefined.",
  ],
  [
    "one tool instead of a list",
    () => section("a", { tools: tool() }),
    "section 'a': tools must be an array, got an object.",
  ],
  [
    "no schema as params",
    () => section("a", { params: { file: "string" } }),
    "section 'a': params is not a Standard Schema. Use a schema of zod or of a similar library.",
  ],
  [
    "no options",
    () => new (js["PromptTemplate"] as never as new () => never)(),
    "PromptTemplate: options must be an object, got undefined.",
  ],
  [
    "no options of a section",
    () => new (js["MarkdownSection"] as never as new () => never)(),
    "section: options must be an object, got undefined.",
  ],
];

it.each(MISTAKES)("%s is named, with what to do (PR-37)", (_, make, message) => {
  expect(messageOf(make)).toBe(message);
});

const filesystem = new InMemoryFilesystem();
const UNKNOWN_OPTIONS: readonly (readonly [message: string, make: () => unknown])[] = [
  [
    "PromptTemplate: unknown option 'polices'. Did you mean 'policies'?",
    () => new PromptTemplate({ ...names, sections: [], polices: [] } as never),
  ],
  ["section 'task': unknown option 'tool'. Did you mean 'tools'?", () => task({ tool: [] })],
  ["defineTool: unknown option 'desc'. Did you mean 'description'?", () => tool({ desc: "x" })],
  [
    "new Prompt: unknown option 'override'. Did you mean 'overrides'?",
    () => new Prompt(template(), { override: {} } as never),
  ],
  [
    "prompt 'examples/reviewer': unknown option 'sesion'. Did you mean 'session'?",
    () => bound().render({ sesion: new Session() } as never),
  ],
  [
    "budget: unknown option 'clok'. Did you mean 'clock'?",
    () => new Budget({}, { clok: Date.now } as never),
  ],
  [
    "budget: unknown option 'parent'. Options: clock.",
    () => new Budget({}, { parent: new Budget({}) } as never),
  ],
  [
    "budget: unknown amount 'token'. Use tokens, costUsd, toolCalls or bytesWritten.",
    () => new Budget({}).spend({ token: 1 } as never),
  ],
  [
    "deadline: earliest: expected a Deadline, got an object.",
    () => Deadline.in("1s").earliest({} as never),
  ],
  [
    "deadline: unknown option 'clok'. Did you mean 'clock'?",
    () => Deadline.in("1s", { clok: Date.now } as never),
  ],
  [
    "readBeforeWrite: unknown option 'removal'. Did you mean 'removals'?",
    () => js.readBeforeWrite({ removal: true }),
  ],
  [
    "deadlineFeedback: unknown option 'evry'. Did you mean 'every'?",
    () => js.deadlineFeedback({ evry: "1s" }),
  ],
  [
    "untouchedFeedback: unknown option 'after'. Did you mean 'afterToolCalls'?",
    () => js.untouchedFeedback({ after: 3 }),
  ],
  [
    "defineResource: unknown option 'creat'. Did you mean 'create'?",
    () => js.defineResource({ creat: () => 1 }),
  ],
  [
    "OverrideStore: unknown option 'directory'. Options: filesystem, maxFileBytes.",
    () => new OverrideStore({ directory: "prompts" } as never),
  ],
  [
    "createToolContext: unknown option 'files'. Did you mean 'filesystem'?",
    () => createToolContext({ files: filesystem } as never),
  ],
];

it.each(UNKNOWN_OPTIONS)("a misspelt option is an error: %s (PR-37)", (message, make) => {
  expect(messageOf(make)).toBe(message);
});

/** The message of the error that `make` throws or returns. It must be one of this package, or an error of the test. */
function messageOf(make: () => unknown): string {
  let error: unknown;
  try {
    error = make();
  } catch (thrown) {
    error = thrown;
    expect(api.isPromptError(thrown)).toBe(true);
  }
  return error instanceof Error ? error.message : "no error";
}
