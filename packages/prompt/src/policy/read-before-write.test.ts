import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Filesystem, InMemoryFilesystem, type WriteResult } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { hostilePaths } from "@wink/filesystem/testing";
import { Session } from "@wink/session";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { policyCall, recordToolCall } from "../adapter/record-tool-call.js";
import { openToolCall } from "../adapter/tool-call.js";
import type { ToolPolicy } from "../protocol/policy.js";
import { viewOf } from "../protocol/tool-files.js";
import { fail, ok } from "../protocol/tool-result.js";
import { MarkdownSection } from "../section/markdown-section.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { noAdapter } from "../testing.js";
import { defineTool } from "../tool/define-tool.js";
import { checkPolicies } from "./check-policies.js";
import { readBeforeWrite } from "./read-before-write.js";

const file_path = z.string();

const readFile = defineTool({
  name: "read_file",
  description: "Reads.",
  input: z.object({ file_path, offset: z.int().default(0), limit: z.int().default(2_000) }),
  access: "read",
  async handler({ file_path, offset, limit }, { filesystem }) {
    return ok(await filesystem.read(file_path, { offset, limit }), "Read.");
  },
  files: { views: (_, page) => [viewOf(page)] },
});

const writeFile = defineTool({
  name: "write_file",
  description: "Writes.",
  input: z.object({ file_path, content: z.string().default("lost") }),
  access: "write",
  files: { changes: ({ file_path }) => [{ path: file_path, extent: "whole" }] },
  async handler({ file_path, content }, { filesystem }) {
    return ok(await filesystem.write(file_path, content), "Wrote.");
  },
});

const editFile = defineTool({
  name: "edit_file",
  description: "Edits.",
  input: z.object({ file_path, old_string: z.string(), new_string: z.string() }),
  access: "write",
  files: { changes: ({ file_path }) => [{ path: file_path, extent: "part" }] },
  async handler({ file_path, old_string, new_string }, { filesystem }) {
    const { content } = await filesystem.read(file_path);
    await filesystem.write(
      file_path,
      content.replace(old_string, () => new_string),
    );
    return ok(undefined, "Edited.");
  },
});

const moveFile = defineTool({
  name: "move",
  description: "Moves.",
  input: z.object({ from: z.string(), to: z.string() }),
  access: "write",
  files: {
    changes: ({ to }) => [{ path: to, extent: "transfer" }],
    removes: ({ from }) => [from],
  },
  async handler({ from, to }, { filesystem }) {
    await filesystem.move(from, to, { overwrite: true });
    return ok(undefined, "Moved.");
  },
});

class Files extends MarkdownSection<string> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem, key = "files", toolPrefix = "") {
    const tools = [readFile, writeFile, editFile, moveFile];
    super({ key, title: key, template: "Files.", tools, toolPrefix });
    this.filesystem = filesystem;
  }
}

const NOT_READ = "'a.txt' exists and you have not read it. Read it first with read_file.";
const CHANGED =
  "'a.txt' was changed by another program since you read it. Read it again first with read_file.";

it("readBeforeWrite allows writing a new file, and writing again what the model wrote (PR-24)", async () => {
  const { run } = setup();
  expect(await run("write_file", { file_path: "new.txt", content: "one" })).toBe("Wrote.");
  expect(await run("write_file", { file_path: "new.txt", content: "two" })).toBe("Wrote.");
  expect(await run("edit_file", { file_path: "new.txt", old_string: "t", new_string: "T" })).toBe(
    "Edited.",
  );
  expect(await run("write_file", { file_path: "new.txt", content: "three" })).toBe("Wrote.");
});

it.each(["write_file", "edit_file"])(
  "readBeforeWrite denies %s until the file is read (PR-24)",
  async (name) => {
    const { run, filesystem } = setup();
    const input = { file_path: "a.txt", old_string: "a", new_string: "b" };
    expect(await run(name, input)).toBe(NOT_READ);
    expect((await filesystem.read("a.txt")).content).toBe("1\n2\n3\n4\n");
    await run("read_file", { file_path: "a.txt" });
    expect(await run(name, input)).not.toBe(NOT_READ);
  },
);

it("readBeforeWrite names the lines that were read (PR-24)", async () => {
  const { run } = setup();
  const write = () => run("write_file", { file_path: "a.txt" });
  await run("read_file", { file_path: "a.txt", limit: 1 });
  await run("read_file", { file_path: "a.txt", offset: 2, limit: 1 });
  expect(await write()).toBe(
    "You have read only lines 1, 3 of 'a.txt', and this would replace all of it. Read the rest first with read_file, or change a part.",
  );
  expect(await run("edit_file", { file_path: "a.txt", old_string: "1", new_string: "x" })).toBe(
    "Edited.",
  );
  // The edit may have moved lines, so the line ranges seen before it are invalid.
  expect(await write()).toContain("You have read only a part of 'a.txt'");
  await run("read_file", { file_path: "a.txt", offset: 1, limit: 2 });
  expect(await write()).toContain("You have read only lines 2–3 of 'a.txt'");
});

it("readBeforeWrite combines the parts that were read (PR-24)", async () => {
  const { run } = setup();
  for (const offset of [3, 0, 1, 2])
    await run("read_file", { file_path: "a.txt", offset, limit: 1 });
  expect(await run("write_file", { file_path: "a.txt" })).toBe("Wrote.");
});

it("readBeforeWrite reports that another program changed the file (PR-24)", async () => {
  const { run, filesystem } = setup();
  await run("read_file", { file_path: "a.txt" });
  await filesystem.write("a.txt", "theirs");
  expect(await run("write_file", { file_path: "a.txt" })).toBe(CHANGED);
  expect(await run("edit_file", { file_path: "a.txt", old_string: "1", new_string: "x" })).toBe(
    CHANGED,
  );
  await run("read_file", { file_path: "a.txt" });
  expect(await run("write_file", { file_path: "a.txt" })).toBe("Wrote.");
});

it("readBeforeWrite compares content, not times: writing the same bytes is not a change (PR-24)", async () => {
  const { run, filesystem } = setup();
  await run("read_file", { file_path: "a.txt" });
  await filesystem.write("a.txt", "1\n2\n3\n4\n");
  expect(await run("write_file", { file_path: "a.txt" })).toBe("Wrote.");
});

it("a rolled back call removes what it had shown from the ledger (PR-24)", async () => {
  const { run, session } = setup();
  await run("write_file", { file_path: "other.txt" });
  const snapshot = session.snapshot();
  await run("read_file", { file_path: "a.txt" });
  session.restore(snapshot);
  expect(await run("write_file", { file_path: "a.txt" })).toBe(NOT_READ);
});

it("a failed read does not count as a read (PR-24)", async () => {
  const { call, run } = setup();
  await recordToolCall(call("read_file", { file_path: "a.txt" }), fail("No."));
  expect(await run("write_file", { file_path: "a.txt" })).toBe(NOT_READ);
});

it("moving an unread file to a known name does not make it writable (PR-24)", async () => {
  const { run, filesystem } = setup();
  await run("write_file", { file_path: "mine.txt" });
  expect(await run("move", { from: "a.txt", to: "mine.txt" })).toBe("Moved.");
  expect(await run("write_file", { file_path: "mine.txt" })).toContain("you have not read it");
  expect((await filesystem.read("mine.txt")).content).toBe("1\n2\n3\n4\n");
});

it("readBeforeWrite checks removals only with the removals option (PR-24)", async () => {
  const strict = setup({ policy: readBeforeWrite({ removals: true }) });
  expect(await strict.run("move", { from: "a.txt", to: "b.txt" })).toBe(NOT_READ);
  await strict.run("read_file", { file_path: "a.txt", limit: 1 });
  expect(await strict.run("move", { from: "a.txt", to: "b.txt" })).toBe("Moved.");
  expect(await setup().run("move", { from: "a.txt", to: "b.txt" })).toBe("Moved.");
});

it("the same path in two workspaces is two files (PR-25)", async () => {
  const [one, two] = [filled(), filled()];
  const { run } = setup({ sections: [new Files(one, "one"), new Files(two, "two", "two_")] });
  await run("read_file", { file_path: "a.txt" });
  expect(await run("two_write_file", { file_path: "a.txt" })).toBe(
    "'a.txt' exists and you have not read it. Read it first with two_read_file.",
  );
  expect(await run("write_file", { file_path: "a.txt" })).toBe("Wrote.");
});

it("a file can be read under one name and written under another (PR-25)", async () => {
  const { run, filesystem } = setup();
  await run("read_file", { file_path: "./x/../a.txt" });
  expect(await run("write_file", { file_path: "/a.txt", content: "new" })).toBe("Wrote.");
  expect((await filesystem.read("a.txt")).content).toBe("new");
});

/** Alternative spellings of the same path. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `/${path}`,
  (path) => `//${path}`,
  (path) => `./${path}`,
  (path) => `x/../${path}`,
  (path) => `x\\..\\${path}`,
  (path) => `${path}/`,
  (path) => `${path}/.`,
  (path) => `${path}/x/..`,
  (path) => path.replaceAll("/", "\\"),
  (path) => path.replaceAll("/", "//"),
  (path) => path.replaceAll("/", "/./"),
  (path) => path.normalize("NFC"),
  (path) => path.normalize("NFD"),
  (path) => path.toUpperCase(),
  (path) => encodeURI(path.toWellFormed()),
  (path) => `${path} `,
  (path) => ` ${path}`,
  (path) => `${path}\0`,
  (path) => `${path}.`,
  (path) => `/workspace/${path}`,
];

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const BACKENDS: Readonly<Record<string, () => Promise<Filesystem>>> = {
  memory: async () => new InMemoryFilesystem(),
  "memory with a mount point": async () => new InMemoryFilesystem({ mountPoint: "/workspace" }),
  host: async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "wink-ledger-"));
    folders.push(folder);
    return HostFilesystem.open(folder);
  },
};

/**
 * Tries to write to every path in the table of hostile paths, with files at the possible targets.
 * Returns the files that were overwritten.
 */
async function findLosses(
  filesystem: Filesystem,
  policy: ToolPolicy,
  spell: (path: string, index: number) => readonly string[],
): Promise<readonly string[]> {
  const { run, written } = setup({ policy, sections: [new Files(filesystem)] });
  const kept = ["plan.md", "notes/plan.md", "a/b/c.txt", "etc/passwd", "étude.txt"];
  for (const each of kept) await filesystem.write(each, "kept");
  for (const row of hostilePaths)
    if (row.expected === "literal") await filesystem.write(row.path, "kept").catch(() => {});
  const before = await contents(filesystem);
  expect(Object.keys(before).length).toBeGreaterThan(20);

  // Knowledge of one file must not allow writing to another.
  await run("read_file", { file_path: "plan.md" });
  const losses = new Set<string>();
  const paths = [...hostilePaths.map((row) => row.path), ...kept];
  for (const spelt of new Set(paths.flatMap(spell))) {
    const answer = await run("write_file", { file_path: spelt });
    const reached = answer === "Wrote." ? written.at(-1) : undefined;
    if (reached !== undefined && reached !== "plan.md" && reached in before)
      losses.add(`${JSON.stringify(spelt)} reached ${reached}`);
  }
  // Compare the files themselves, not the answers.
  const after = await contents(filesystem, Object.keys(before));
  const changed = Object.keys(before).filter((name) => after[name] !== before[name]);
  for (const name of changed) if (name !== "plan.md") losses.add(`${name} was lost`);
  expect(after["plan.md"]).toBe("lost");
  return [...losses];
}

const everySpelling = (path: string) => SPELLINGS.map((spell) => spell(path));
/** Each path as written and in one other spelling. More would be too slow on a disk. */
const twoSpellings = (path: string, index: number) => [
  path,
  SPELLINGS[index % SPELLINGS.length]?.(path) ?? path,
];

it.each([
  { name: "memory", spell: everySpelling },
  { name: "memory with a mount point", spell: everySpelling },
  { name: "host", spell: twoSpellings },
])(
  "no spelling in the table of hostile paths bypasses readBeforeWrite: $name (PR-25)",
  async (row) => {
    const filesystem = (await BACKENDS[row.name]?.()) ?? expect.unreachable();
    expect(await findLosses(filesystem, readBeforeWrite(), row.spell)).toEqual([]);
  },
);

it("a policy that compares spellings fails the same test (PR-25)", async () => {
  const { check, ...rest } = readBeforeWrite();
  const naive: ToolPolicy = {
    ...rest,
    // Checks only paths in their plain spelling.
    check: (call) => {
      const { file_path: spelt } = call.input as { file_path: string };
      return /^[\w./]+$/.test(spelt) && !/(^|\/)\.|\/\/|^\//.test(spelt)
        ? check(call)
        : { allowed: true };
    },
  };
  const losses = await findLosses(new InMemoryFilesystem(), naive, everySpelling);
  expect(losses).toContain('"/notes/plan.md" reached notes/plan.md');
  expect(losses).toContain("notes/plan.md was lost");
  expect(losses.length).toBeGreaterThan(50);
});

async function contents(
  filesystem: Filesystem,
  names?: readonly string[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const paths = names ?? (await filesystem.glob("**")).map((match) => match.path);
  for (const each of paths)
    found[each] = await filesystem.read(each).then(
      ({ content }) => content,
      () => "unreadable",
    );
  return found;
}

function filled(): InMemoryFilesystem {
  return new InMemoryFilesystem({ files: { "a.txt": "1\n2\n3\n4\n" } });
}

interface Options {
  readonly policy?: ToolPolicy;
  readonly sections?: readonly Files[];
}

function setup({ policy = readBeforeWrite(), sections = [new Files(filled())] }: Options = {}) {
  const template = new PromptTemplate({ ns: "tests", key: "ledger", policies: [policy], sections });
  const prompt = new Prompt(template);
  const session = new Session();
  const rendered = prompt.render({ session });
  const filesystem = rendered.filesystem ?? expect.unreachable();
  const { signal } = new AbortController();
  const seen = new Map<string, WriteResult>();
  const call = (name: string, input: object) => {
    const tool = rendered.tool(name) ?? expect.unreachable();
    const { context } = openToolCall({
      rendered,
      tool,
      session,
      signal,
      adapter: noAdapter,
      toolCallId: "1",
      filesystem: tool.filesystem && noting(tool.filesystem, seen),
    });
    const defaults = { offset: 0, limit: 2_000, content: "lost" };
    return policyCall(tool, { ...defaults, ...input }, context);
  };
  /** The paths that were written, as the filesystem reports them. */
  const written: string[] = [];
  /**
   * Does what an adapter does: check policies, run, record. Resolves to the answer for the model.
   */
  const run = async (name: string, input: object): Promise<string> => {
    const made = call(name, input);
    const decision = await checkPolicies(made);
    if (!decision.allowed) return decision.reason;
    try {
      const result = await made.tool.handler(made.input, made.context);
      await recordToolCall(made, result, (path) => seen.get(path));
      if (result.success && isWrite(result.value)) written.push(result.value.path);
      return result.message;
    } catch (error) {
      return String(error);
    }
  };
  return { run, call, session, filesystem, written };
}

/** Notes the path and the revision that the filesystem reports for each path that a handler uses. */
function noting(files: Filesystem, seen: Map<string, WriteResult>): Filesystem {
  return new Proxy(files, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...args: readonly unknown[]) => {
        const result: unknown = await Reflect.apply(member, target, args);
        if (isWrite(result)) seen.set(String(args[0]), result);
        return result;
      };
    },
  });
}

function isWrite(value: unknown): value is WriteResult {
  return typeof value === "object" && value !== null && "bytesWritten" in value;
}

it("readBeforeWrite of a workspace section applies to a tool of any section that declares its files (PR-24)", async () => {
  const filesystem = new InMemoryFilesystem({ files: { "a.txt": "old" } });
  class Workspace extends MarkdownSection<"files"> {
    readonly filesystem: Filesystem = filesystem;
  }
  const silent = defineTool({
    name: "silent",
    description: "Does not declare its files.",
    input: z.object({}),
    access: "write",
    handler: () => ok(undefined, "Done."),
  });
  const own = new MarkdownSection({
    ...{ key: "own", title: "Own", template: "Own." },
    tools: [writeFile, silent],
  });
  const files = new Workspace({
    ...{ key: "files", title: "Files", template: "Files.", tools: [readFile] },
    policies: [readBeforeWrite()],
  });
  const sections = [own, files];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "own", sections })).bind({});
  const session = new Session();
  const rendered = prompt.render({ session });
  const namesOf = (name: string) => rendered.tool(name)?.policies.map((policy) => policy.name);
  expect(namesOf("write_file")).toEqual(["read-before-write"]);
  expect(namesOf("read_file")).toEqual(["read-before-write"]);
  expect(namesOf("silent")).toEqual([]);
});
