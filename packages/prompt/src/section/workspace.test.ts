import { type Filesystem, InMemoryFilesystem, isFilesystemError } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { openToolCall } from "../adapter/tool-call.js";
import type { ToolContext } from "../protocol/tool-context.js";
import { ok } from "../protocol/tool-result.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { noAdapter } from "../testing.js";
import { defineTool } from "../tool/define-tool.js";
import { MarkdownSection } from "./markdown-section.js";
import type { AnySection } from "./section.js";
import { isWorkspaceSection } from "./workspace-section.js";

class Files extends MarkdownSection<string, undefined, unknown, readonly AnySection[]> {
  readonly filesystem: Filesystem;

  constructor(options: Options & { readonly key: string; readonly filesystem?: Filesystem }) {
    super({ title: options.key, template: "Files.", ...options });
    this.filesystem = options.filesystem ?? new InMemoryFilesystem();
  }
}

/** A workspace that gives a subagent a fork. */
class Forking extends Files {
  override clone(): Forking {
    return new Forking({ key: this.key, filesystem: new InMemoryFilesystem() });
  }
}

interface Options {
  readonly enabled?: boolean | ((params: object, session: Session) => boolean);
  readonly visibility?: "summary";
  readonly summary?: string;
  readonly children?: readonly AnySection[];
  readonly tools?: readonly ReturnType<typeof keepingTool>[];
  readonly toolPrefix?: string;
}

it("a prompt without a workspace section has no filesystem (PR-9)", () => {
  expect(promptOf(plain("a", { children: [plain("b")] })).filesystem()).toBe(undefined);
  expect(promptOf().filesystem()).toBe(undefined);
});

it("a prompt has the filesystem of its first workspace section (PR-9)", () => {
  const [one, other] = [new Files({ key: "one" }), new Files({ key: "other" })];
  expect(promptOf(plain("a"), one, other).filesystem()).toBe(one.filesystem);
  expect(promptOf(other, one).filesystem()).toBe(other.filesystem);
});

it("a nested workspace comes before a later one at the top level (PR-9)", () => {
  const [inner, later] = [new Files({ key: "inner" }), new Files({ key: "later" })];
  const nested = plain("a", { children: [plain("b", { children: [inner] })] });
  expect(promptOf(nested, later).filesystem()).toBe(inner.filesystem);
});

it("a workspace comes before the workspaces inside of it (PR-9)", () => {
  const outer = new Files({ key: "outer", children: [new Files({ key: "inner" })] });
  expect(promptOf(outer).filesystem()).toBe(outer.filesystem);
});

it.each([
  { name: "itself", sections: (files: Files) => [disabled(files)] },
  {
    name: "around it",
    sections: (files: Files) => [plain("a", { enabled: false, children: [files] })],
  },
])("a workspace is skipped if a section $name is disabled (PR-9)", ({ sections }) => {
  const [first, second] = [new Files({ key: "first" }), new Files({ key: "second" })];
  expect(promptOf(...sections(first)).filesystem()).toBe(undefined);
  expect(promptOf(...sections(first), second).filesystem()).toBe(second.filesystem);
});

it("filesystem() uses the given session, or an empty one (PR-9)", () => {
  const files = new Files({
    key: "files",
    enabled: (_, session) => session.tags["files"] !== "off",
  });
  const prompt = promptOf(files);
  expect(prompt.filesystem()).toBe(files.filesystem);
  const session = new Session({ tags: { files: "off" } });
  expect(prompt.filesystem({ session })).toBe(undefined);
  expect(prompt.render({ session }).filesystem).toBe(undefined);
});

it("a workspace in a summarised section is found (PR-9)", () => {
  const files = new Files({ key: "files", visibility: "summary", summary: "Files." });
  const around = plain("around", { visibility: "summary", summary: "More.", children: [files] });
  for (const prompt of [promptOf(files), promptOf(around)]) {
    expect(prompt.filesystem()).toBe(files.filesystem);
    expect(prompt.render().filesystem).toBe(files.filesystem);
  }
});

it("a section from another copy of the package is found (PR-9)", async () => {
  // The query makes the module loader evaluate these files a second time.
  const copy = "./markdown-section.js?copy";
  const { MarkdownSection: Foreign }: { MarkdownSection: typeof MarkdownSection } = await import(
    /* @vite-ignore */ copy
  );
  expect(Foreign).not.toBe(MarkdownSection);
  const filesystem = new InMemoryFilesystem();
  const section = Object.assign(new Foreign({ key: "foreign", title: "F", template: "Hello." }), {
    filesystem,
  });
  expect(section).not.toBeInstanceOf(MarkdownSection);
  const prompt = promptOf(section);
  expect(prompt.filesystem()).toBe(filesystem);
  expect(prompt.render().text).toBe("## 1. F\n\nHello.");
});

it.each([
  undefined,
  null,
  "files",
  {},
  { filesystem: undefined },
  { filesystem: null },
  { filesystem: "/" },
  { filesystem: { read: () => {} } },
])("%j is not a workspace section (PR-9)", (candidate) => {
  expect(isWorkspaceSection(candidate)).toBe(false);
});

it("a clone gets the same filesystem, or the fork that the section makes (PR-9, PR-12)", async () => {
  const [shared, forking] = [new Files({ key: "shared" }), new Forking({ key: "forking" })];
  await using one = await promptOf(shared).clone();
  expect(one.filesystem()).toBe(shared.filesystem);
  await using other = await promptOf(forking).clone();
  expect(other.filesystem()).not.toBe(forking.filesystem);
  expect(other.filesystem()).toBeInstanceOf(InMemoryFilesystem);
});

it("a tool gets the files of its own workspace, or else of the first one (PR-10)", async () => {
  const one = new Files({
    key: "one",
    tools: [keepingTool("keep_one")],
    children: [plain("inside", { tools: [keepingTool("keep_inside")] })],
  });
  const two = new Files({ key: "two", toolPrefix: "two_", tools: [keepingTool("keep_one")] });
  const prompt = promptOf(plain("task", { tools: [keepingTool("keep")] }), one, two);
  const seen = new Map<string, Filesystem>();
  const rendered = prompt.render();
  for (const tool of rendered.tools) {
    const context = contextFor(prompt, tool.name);
    await tool.handler({}, context);
    seen.set(`${tool.section} ${tool.name} ${tool.workspace}`, context.filesystem);
  }
  expect([...seen]).toEqual([
    ["task keep one", one.filesystem],
    ["one keep_one one", one.filesystem],
    ["one/inside keep_inside one", one.filesystem],
    ["two two_keep_one two", two.filesystem],
  ]);
});

it("in a prompt without a workspace, every call on files is refused with a reason (PR-10)", async () => {
  const prompt = promptOf(plain("task", { tools: [keepingTool("keep")] }));
  const { filesystem } = contextFor(prompt, "keep");
  const operations = [
    ...([
      "read",
      "readBytes",
      "exists",
      "stat",
      "list",
      "glob",
      "grep",
      "write",
      "writeBytes",
    ] as const),
    ...(["delete", "mkdir", "copy", "move", "openRead", "openWrite", "openText", "usage"] as const),
  ];
  for (const operation of operations) {
    const call = filesystem[operation] as (...args: unknown[]) => Promise<unknown>;
    const error = await call.call(filesystem, "a.txt", "b.txt").catch((reason: unknown) => reason);
    expect(isFilesystemError(error, "EACCES"), operation).toBe(true);
    expect(String(error)).toContain("this prompt has no workspace section, so there are no files");
  }
});

it("a handler gets a frozen context with eleven members (PR-21)", () => {
  const prompt = promptOf(plain("task", { tools: [keepingTool("keep")] }), new Files({ key: "f" }));
  const context = contextFor(prompt, "keep");
  expect(Object.keys(context).sort()).toEqual([
    "adapter",
    "budget",
    "deadline",
    "filesystem",
    "idempotencyKey",
    "park",
    "prompt",
    "renderedPrompt",
    "session",
    "signal",
    "toolCallId",
  ]);
  expect(Object.isFrozen(context)).toBe(true);
  expect(contextFor(prompt, "keep")).not.toBe(context);
});

function contextFor(prompt: ReturnType<typeof promptOf>, name: string): ToolContext {
  const rendered = prompt.render();
  const tool = rendered.tool(name);
  if (tool === undefined) throw new Error(`no ${name}`);
  const { signal } = new AbortController();
  const session = new Session();
  return openToolCall({ rendered, tool, session, adapter: noAdapter, signal, toolCallId: "1" })
    .context;
}

function disabled({ filesystem }: Files): Files {
  return new Files({ key: "disabled", enabled: false, filesystem });
}

function plain(key: string, options: Options = {}): AnySection {
  return new MarkdownSection({ key, title: key, template: "Text.", ...options });
}

function promptOf(...sections: readonly AnySection[]) {
  return new Prompt(new PromptTemplate({ ns: "tests", key: "workspace", sections }));
}

function keepingTool(name: string) {
  return defineTool({
    name,
    description: "Keeps nothing.",
    input: z.object({}),
    access: "read",
    handler: () => ok(undefined, "Done."),
  });
}
