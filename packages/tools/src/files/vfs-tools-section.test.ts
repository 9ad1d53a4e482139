// biome-ignore-all lint/suspicious/noTemplateCurlyInString: file names may contain any character.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFilesystem, InMemoryFilesystem, readOnlyView } from "@wink/filesystem";
import { Prompt, PromptTemplate, type ToolResult } from "@wink/prompt";
import {
  checkPolicies,
  openToolCall,
  parseInput,
  policyCall,
  recordToolCall,
  renderResult,
} from "@wink/prompt/adapter";
import { noAdapter } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { expect, it, onTestFinished } from "vitest";
import { VfsToolsSection } from "./vfs-tools-section.js";
import { vfsFiles } from "./virtual-file-system.js";
import { mapDriver } from "./workspace.test.support.js";

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-vfs-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [at, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, at)), { recursive: true });
    await writeFile(path.join(folder, at), content);
  }
  return folder;
}

/** Calls tools through the policies of a prompt, as an agent loop does. */
function runner(section: VfsToolsSection<string>, session: Session) {
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "agent", sections: [section] }));
  let calls = 0;
  return async (name: string, input: unknown): Promise<string> => {
    const rendered = prompt.bind().render({ session });
    const tool = rendered.tools.find((each) => each.name === name);
    if (tool === undefined) return `no tool ${name}`;
    await using call = openToolCall({
      rendered,
      tool,
      adapter: noAdapter,
      session,
      toolCallId: `call-${++calls}`,
      signal: new AbortController().signal,
    });
    const parsed = await parseInput(tool, input);
    if (!parsed.success) return parsed.message;
    const asked = policyCall(tool, parsed.value, call.context);
    const decision = await checkPolicies(asked);
    if (!decision.allowed) return decision.reason;
    const result = await tool.handler(parsed.value, call.context);
    await recordToolCall(asked, result, () => writeOf(result));
    return renderResult(tool, result);
  };
}

/** What the filesystem reported for the file of a call, as an adapter sees it. */
function writeOf(result: ToolResult) {
  const value: unknown = result.success ? result.value : undefined;
  if (typeof value !== "object" || value === null || !("path" in value)) return undefined;
  const revision = "revision" in value ? String(value.revision) : undefined;
  return { path: String(value.path), revision };
}

it("VfsToolsSection mounts host files, describes them without host paths, and applies changes to the host (TL-9, TL-10)", async () => {
  const folder = await project({
    "src/main.ts": "let a = 1;\n",
    "src/$& ${x}.ts": "x",
    "README.md": "# Hi\n",
    ".env": "TOKEN=1",
  });
  const session = new Session();
  const workspace = await VfsToolsSection.create({
    session,
    mounts: [{ hostPath: path.join(folder, "src") }, { hostPath: path.join(folder, "README.md") }],
    allowedHostRoots: [folder],
  });
  const run = runner(workspace, session);
  const text = new Prompt(new PromptTemplate({ ns: "tests", key: "text", sections: [workspace] }))
    .bind()
    .render({ session }).text;
  expect(text).toContain("- `/src` (2 files): $& ${x}.ts, main.ts\n- `/README.md` (1 file)");
  expect(text).not.toContain(folder);
  expect(vfsFiles(session).map((file) => [file.path, file.version])).toEqual([
    ["README.md", 0],
    ["src/$& ${x}.ts", 0],
    ["src/main.ts", 0],
  ]);

  await run("read_file", { file_path: "src/main.ts" });
  await run("edit_file", { file_path: "src/main.ts", old_string: "1", new_string: "2" });
  expect(await readFile(path.join(folder, "src/main.ts"), "utf8")).toBe("let a = 1;\n");
  expect(await workspace.changes().toPatch()).toContain("-let a = 1;\n+let a = 2;\n");
  await workspace.changes().apply({ onConflict: "refuse" });
  expect(await readFile(path.join(folder, "src/main.ts"), "utf8")).toBe("let a = 2;\n");
});

it("VfsToolsSection refuses mounts outside of the allowed roots (TL-9)", async () => {
  const folder = await project({ "a.txt": "a" });
  const create = VfsToolsSection.create({
    session: new Session(),
    mounts: [{ hostPath: "/etc" }],
    allowedHostRoots: [folder],
  });
  await expect(create).rejects.toMatchObject({ name: "FilesystemError", code: "EACCES" });
});

it("VfsToolsSection lets a model change a file only after it has read the current version (TL-11, F173)", async () => {
  const session = new Session();
  const workspace = await VfsToolsSection.create({ session, files: { "a.txt": "one\ntwo\n" } });
  const run = runner(workspace, session);
  const edit = { file_path: "/a.txt", old_string: "one", new_string: "1" };
  expect(await run("edit_file", edit)).toBe(
    "'a.txt' exists and you have not read it. Read it first with read_file.",
  );
  expect(await run("write_file", { path: "a.txt", content: "", mode: "overwrite" })).toBe(
    "'a.txt' exists and you have not read it. Read it first with read_file.",
  );
  await run("read_file", { file_path: "./a.txt" });
  await workspace.filesystem.write("a.txt", "one\nchanged\n");
  expect(await run("edit_file", edit)).toBe(
    "'a.txt' was changed by another program since you read it. Read it again first with read_file.",
  );
  await run("read_file", { file_path: "a.txt" });
  expect(await run("edit_file", edit)).toMatch(/^Edited 'a\.txt'/);
  expect(await run("edit_file", { path: "a.txt", old_string: "changed", new_string: "2" })).toMatch(
    /^Edited 'a\.txt'/,
  );
  expect(await run("write_file", { path: "a.txt", content: "all\n", mode: "overwrite" })).toMatch(
    /^Replaced 'a\.txt'/,
  );
});

it("a file that the model created counts as read (TL-11)", async () => {
  const session = new Session();
  const run = runner(await VfsToolsSection.create({ session }), session);
  await run("write_file", { path: "n.txt", content: "new\n" });
  expect(await run("edit_file", { path: "n.txt", old_string: "new", new_string: "newer" })).toMatch(
    /^Edited/,
  );
  expect(await run("write_file", { path: "n.txt", content: "x" })).toMatch(
    /^'n\.txt' already exists\./,
  );
});

it("toolPrefix is in every tool name and every hint, so that one prompt can have two sections (TL-12)", async () => {
  const session = new Session();
  const one = await VfsToolsSection.create({ session, files: { a: "1" } });
  const two = await VfsToolsSection.create({
    session,
    key: "docs",
    toolPrefix: "docs_",
    files: { b: "2" },
  });
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "two", sections: [one, two] }));
  const names = prompt
    .bind()
    .render({ session })
    .tools.map((tool) => tool.name);
  expect(names).toHaveLength(20);
  expect(names).toContain("docs_read_file");
  const run = runner(two, session);
  expect(await run("docs_read_file", { path: "nope" })).toBe(
    "'nope': no such file or directory.\nUse docs_ls or docs_glob to list the files.",
  );
  expect(vfsFiles(session).map((file) => [file.workspace, file.path])).toEqual([
    ["docs", "b"],
    ["vfs", "a"],
  ]);
});

it.each([
  { what: "memory", make: () => new InMemoryFilesystem({ files: { a: "1\n" } }) },
  { what: "a driver", make: () => createFilesystem(mapDriver()) },
])(
  "changes() without mounts lists the changes in $what and refuses to apply them (TL-10)",
  async ({ make }) => {
    const filesystem = make();
    const workspace = await VfsToolsSection.create({ session: new Session(), filesystem });
    await filesystem.write("new.txt", "n\n");
    expect((await workspace.changes().files()).map((change) => [change.type, change.path])).toEqual(
      [["added", "new.txt"]],
    );
    expect(await workspace.changes().toPatch()).toContain("+++ b/new.txt\n@@ -0,0 +1 @@\n+n\n");
    await expect(workspace.changes().apply()).rejects.toThrow(
      "nothing was mounted from the host, so there is nothing to apply changes to",
    );
  },
);

it("changes() compares a filesystem without snapshots with its initial state (TL-10)", async () => {
  const memory = new InMemoryFilesystem({ files: { a: "1\n", "d/b": Uint8Array.of(0xff) } });
  const workspace = await VfsToolsSection.create({
    session: new Session(),
    filesystem: readOnlyView(memory),
  });
  expect(await workspace.changes().toPatch()).toBe("");
  await memory.write("a", "2\n");
  expect((await workspace.changes().files()).map((change) => [change.type, change.path])).toEqual([
    ["modified", "a"],
  ]);
});

it("filesystem cannot be combined with files or quotas (TL-9)", async () => {
  const create = VfsToolsSection.create({
    session: new Session(),
    filesystem: new InMemoryFilesystem(),
    files: {},
  });
  await expect(create).rejects.toThrow(
    "VfsToolsSection: filesystem and workspace cannot be combined with files or quotas. Pass a filesystem that already has them.",
  );
});

it("quotas are enforced, and the answer names them (TL-9)", async () => {
  const session = new Session();
  const run = runner(
    await VfsToolsSection.create({ session, quotas: { maxTotalBytes: 3 } }),
    session,
  );
  expect(await run("write_file", { path: "a", content: "1234" })).toBe(
    "'a': the workspace may hold at most 3 bytes.",
  );
  expect(await run("write_file", { path: "a", content: "123" })).toBe(
    "Created 'a': 1 line, 3 bytes.",
  );
});

it("the hash of a prompt does not depend on the files, so that a run can continue with changed ones (TL-1, RUN-18)", async () => {
  const hashOf = async (files: Readonly<Record<string, string>>) => {
    const section = await VfsToolsSection.create({ session: new Session(), files });
    const template = new PromptTemplate({ ns: "tests", key: "hash", sections: [section] });
    return new Prompt(template).bind({}).render().descriptor.hash;
  };
  expect(await hashOf({ "a.txt": "one\n" })).toBe(await hashOf({ "a.txt": "1\n", "b.txt": "2\n" }));
});

it("a section that is created again for a continued run keeps versions and writers, unless other files are there (TL-7)", async () => {
  const [session, filesystem] = [
    new Session(),
    new InMemoryFilesystem({ files: { "a.txt": "1" } }),
  ];
  const create = () => VfsToolsSection.create({ session, filesystem });
  await runner(await create(), session)("write_file", { file_path: "b.txt", content: "two" });
  const before = vfsFiles(session);
  expect(before.map(({ path: at, version }) => [at, version])).toEqual([
    ["a.txt", 0],
    ["b.txt", 1],
  ]);
  const count = session.events.length;
  await create();
  expect(vfsFiles(session)).toEqual(before);
  expect(session.events.length).toBe(count);
  await filesystem.write("c.txt", "three");
  await create();
  expect(vfsFiles(session).map(({ version }) => version)).toEqual([0, 0, 0]);
});

it("a section that is created again for a continued run shows the files as it did before, unless other files are there (RUN-15)", async () => {
  const [session, filesystem] = [new Session(), new InMemoryFilesystem()];
  const text = async () => {
    const section = await VfsToolsSection.create({ session, filesystem });
    const template = new PromptTemplate({ ns: "tests", key: "again", sections: [section] });
    return { section, text: new Prompt(template).bind({}).render({ session }).text };
  };
  const first = await text();
  expect(first.text).toContain("(0 files)");
  await runner(first.section, session)("write_file", { file_path: "b.txt", content: "two" });
  expect((await text()).text).toBe(first.text);
  await filesystem.write("from-outside.txt", "three");
  expect((await text()).text).toContain("(2 files): b.txt, from-outside.txt");
});
