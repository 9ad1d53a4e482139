// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of templates.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { RunError } from "@wink/adapters";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { InMemoryFilesystem } from "@wink/filesystem";
import {
  Budget,
  Deadline,
  defineTool,
  MarkdownSection,
  Prompt,
  PromptTemplate,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

/** What a caller in JavaScript can write. The types refuse most of it. */
// biome-ignore lint/suspicious/noExplicitAny: the table passes wrong arguments on purpose.
const wrong = (value: unknown) => value as any;

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "wink-mistakes-"));
  await writeFile(path.join(directory, "a.txt"), "a\n");
});
afterAll(async () => await rm(directory, { recursive: true, force: true }));

const task = new MarkdownSection({
  ...{ key: "task", title: "Task", template: "Read ${file} ${times} times." },
  params: z.object({ file: z.string(), times: z.number() }),
});
const template = new PromptTemplate({ ns: "x", key: "y", sections: [task] });
const plain = new MarkdownSection({ key: "plain", title: "Plain", template: "Do it." });
const bind = (params: unknown) => new Prompt(template).bind(wrong(params));
const tool = (handler: unknown, more: object = {}) =>
  defineTool({
    ...{ name: "t", description: "Does t.", input: z.object({}), access: "read" as const },
    handler: wrong(handler),
    ...more,
  });
const sections = (...list: readonly unknown[]) =>
  new PromptTemplate({ ns: "x", key: "y", sections: wrong(list) });
const create = (options: object) =>
  VfsToolsSection.create(wrong({ session: new Session(), ...options }));
const evaluate = (
  prompt: unknown,
  turns: unknown = [{ text: "done" }],
  session: unknown = new Session(),
) => new ScriptedAdapter({ turns: wrong(turns) }).evaluate(wrong(prompt), wrong({ session }));

/** The mistakes of a first user, with the text that the developer reads. */
const MISTAKES: Readonly<Record<string, readonly [() => unknown, string | RegExp]>> = {
  "a wrong key in bind": [
    () => bind({ tsak: { file: "a", times: 1 } }),
    "bind: unknown section 'tsak'. Did you mean 'task'?",
  ],
  "a missing parameter": [
    () => bind({ task: { file: "a" } }),
    "section 'task': missing parameter 'times'. Pass it to bind.",
  ],
  "two missing parameters": [
    () => bind({}),
    "section 'task': missing parameters 'file', 'times'. Pass them to bind.",
  ],
  "a section in bind, where none has parameters": [
    () => new Prompt(sections(plain)).bind(wrong({ nope: {} })),
    "bind: unknown section 'nope'. Sections with parameters: none.",
  ],
  "a parameter of a wrong type": [
    () => bind({ task: { file: "a", times: "3" } }),
    "section 'task': parameter 'times' must be a number, got \"3\".",
  ],
  "two tools of one name": [
    () =>
      sections(
        ...["a", "b"].map(
          (key) =>
            new MarkdownSection({ key, title: key, template: "x", tools: [tool(() => undefined)] }),
        ),
      ),
    "tool 't': sections 'a' and 'b' both have a tool of this name. Give one section a toolPrefix.",
  ],
  "no allowedHostRoots": [
    () => create({ mounts: [{ hostPath: "." }] }),
    /^VfsToolsSection: mounts need allowedHostRoots\. Name the host directories/,
  ],
  "an allowed root that does not exist": [
    () => create({ mounts: [{ hostPath: "." }], allowedHostRoots: ["no-such-project"] }),
    "ENOENT: mount 'no-such-project': the directory in allowedHostRoots does not exist.",
  ],
  "exclude for excludeGlob": [
    () => create({ mounts: [{ hostPath: ".", exclude: ["*"] }], allowedHostRoots: [directory] }),
    /unknown option 'exclude'\. Did you mean 'excludeGlob'\?$/,
  ],
  "a wrong access": [
    () => tool(() => undefined, { access: "readonly" }),
    "tool 't': access must be one of 'read', 'session', 'write', 'opaque', got \"readonly\".",
  ],
  "a misspelt placeholder": [
    () =>
      new MarkdownSection({
        ...{ key: "task", title: "Task", template: "Read ${flie}." },
        params: z.object({ file: z.string() }),
      }),
    "section 'task': unknown placeholder ${flie}. Parameters: file.",
  ],
  "a forgotten bind": [
    () => evaluate(new Prompt(template)),
    "prompt 'x/y': the parameters of 'task' are not bound. Call bind() first.",
  ],
  "an output that does not fit": [
    () => {
      const output = z.object({ findings: z.array(z.object({ line: z.number() })) });
      const reviewer = new PromptTemplate({ ns: "x", key: "y", output, sections: [plain] });
      const turn = { text: '{"findings":[{"line":"12"}]}' };
      return evaluate(new Prompt(reviewer).bind({}), [turn, turn, turn]);
    },
    "output: field 'findings[0].line' must be a number, got \"12\". The model was asked 3 times.",
  ],
  "a date in a schema": [
    () => tool(() => undefined, { input: z.object({ when: z.date() }) }),
    /^tool 't': input field 'when' \(date\) has no JSON Schema form\. Use /,
  ],
  "an unknown limit of a budget": [
    () => new Budget(wrong({ maxTokens: 1000 })),
    "budget: unknown limit 'maxTokens'. Use wallMs, tokens, costUsd, toolCalls or bytesWritten.",
  ],
  "a duration with a word": [
    () => Deadline.in(wrong("2 minutes")),
    /^duration "2 minutes": this is not a duration\. Use /,
  ],
  "a forgotten await before a section": [
    () => sections(create({})),
    "template 'x/y': sections[0] must be a section, got a promise. Write await before it.",
  ],
  "a text as allowedHostRoots": [
    () => create({ mounts: [{ hostPath: "." }], allowedHostRoots: "." }),
    "VfsToolsSection: option 'allowedHostRoots': it must be an array of strings, got a string.",
  ],
  "a text as mounts": [
    () => create({ mounts: "." }),
    "VfsToolsSection: option 'mounts': it must be an array of objects, got a string.",
  ],
  "a text as a mount": [
    () => create({ mounts: ["."], allowedHostRoots: [directory] }),
    "VfsToolsSection: option 'mounts': it must be an array of objects, got an array.",
  ],
  "a section without a template": [
    () => new MarkdownSection(wrong({ key: "a", title: "A" })),
    "section 'a': template must be a string, got undefined.",
  ],
  "a template in place of a prompt": [
    () => evaluate(template),
    "evaluate: the prompt must be a bound Prompt, got a PromptTemplate. Pass new Prompt(template).bind(…).",
  ],
  "a text in place of a prompt": [
    () => evaluate("Review a.ts."),
    /^evaluate: the prompt must be a bound Prompt, got a string\. /,
  ],
  "new VfsToolsSection": [
    () => new (wrong(VfsToolsSection))(),
    /^VfsToolsSection: it cannot be created with new, .* Use await VfsToolsSection\.create/,
  ],
  "no session for a section": [
    () => VfsToolsSection.create(wrong({})),
    "VfsToolsSection: option 'session': it must be a Session, got undefined.",
  ],
  "no session for a run": [
    () => evaluate(new Prompt(sections(plain)).bind({}), [{ text: "done" }], null),
    /^evaluate: session must be a Session, got null\./,
  ],
};

it.each(Object.entries(MISTAKES))(
  "the mistake '%s' is answered in one sentence",
  async (_, row) => {
    const [make, message] = row;
    const error = await (async () => await make())().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const text = (error as Error).message;
    if (typeof message === "string") expect(text).toBe(message);
    else expect(text).toMatch(message);
    expect(text).not.toMatch(/^[A-Z]+_[A-Z_]+:|^[a-z]+_[a-z_]+:/);
    expect(error).toHaveProperty("code");
  },
);

it.each([
  ["an object", { done: true }],
  ["a text", "done"],
])("a handler that returns %s fails with a hint to return ok() or fail()", async (_, returned) => {
  const errors: string[] = [];
  const section = new MarkdownSection({
    ...{ key: "a", title: "A", template: "x", tools: [tool(() => returned)] },
  });
  const adapter = new ScriptedAdapter({
    turns: [{ calls: [{ tool: "t", input: {} }] }, { text: "done" }],
    onError: (error) => errors.push((error as Error).message),
  });
  const prompt = new Prompt(new PromptTemplate({ ns: "x", key: "y", sections: [section] })).bind(
    {},
  );
  await adapter.evaluate(prompt, { session: new Session() });
  expect(errors).toEqual([
    expect.stringMatching(
      /^tool 't': the handler returned .*\. Return ok\(value, message\) or fail\(message\)\.$/,
    ),
  ]);
});

it("a tool without access to write that writes is answered with what to declare, which the model does not read", async () => {
  const errors: string[] = [];
  const write = async (_: unknown, { filesystem }: { filesystem: InMemoryFilesystem }) =>
    await filesystem.write("a.txt", "new");
  const section = new MarkdownSection({
    ...{ key: "a", title: "A", template: "x", tools: [tool(write)] },
  });
  const workspace = await VfsToolsSection.create({ session: new Session() });
  const adapter = new ScriptedAdapter({
    turns: [{ calls: [{ tool: "t" }] }, { text: "done" }],
    onError: (error) => errors.push((error as Error).message),
  });
  const prompt = new Prompt(sections(section, workspace)).bind({});
  await adapter.evaluate(prompt, { session: new Session() });
  expect(errors).toEqual([
    "EROFS: write 'a.txt': the filesystem is read-only. Declare access: \"write\" in defineTool to change files.",
  ]);
  expect(adapter.requests.at(-1)?.messages.at(-1)).toMatchObject({
    text: "t failed: 'a.txt': the filesystem is read-only.",
  });
});

it("a file that is too large for read_file is answered with what the model can do", async () => {
  const limits = { maxReadFileBytes: 1_000_000 };
  const filesystem = new InMemoryFilesystem({ files: { "huge.bin": "a\n".repeat(1e6) }, limits });
  const session = new Session();
  const workspace = await VfsToolsSection.create({ session, filesystem });
  const prompt = new Prompt(new PromptTemplate({ ns: "x", key: "y", sections: [workspace] })).bind(
    {},
  );
  const call = { tool: "read_file", input: { file_path: "huge.bin" } };
  const adapter = new ScriptedAdapter({ turns: [{ calls: [call] }, { text: "done" }] });
  await adapter.evaluate(prompt, { session });
  expect(adapter.requests.at(-1)?.messages.at(-1)).toMatchObject({
    role: "tool",
    text: "'huge.bin' is 2 MB; read_file reads at most 1 MB.\nRead a part of it with offset and limit.",
  });
});

it("the error of a run has its code, subject and reason in fields", () => {
  const error = new RunError("NO_OUTPUT", { finishReason: "deadline", text: "" });
  expect(error).toMatchObject({ code: "NO_OUTPUT", subject: "output" });
  expect(error.message).toBe(`output: ${error.reason}.`);
});
