// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.
import { execFileSync } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { HostFilesystem } from "@wink/filesystem/host";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { OverrideStore } from "../overrides.js";
import { ok } from "../protocol/tool-result.js";
import { MarkdownSection } from "../section/markdown-section.js";
import { Prompt } from "../template/prompt.js";
import type { PromptOverrides } from "../template/prompt-overrides.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { defineTool } from "../tool/define-tool.js";

const folders: string[] = [];
const opened: HostFilesystem[] = [];
afterAll(async () => {
  for (const filesystem of opened) await filesystem.close();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

it("seed writes the current texts, and applying them changes nothing (PR-31)", async () => {
  const { store, folder } = await setup();
  const made = template();
  const seeded = await store.seed(made);
  expect(seeded.sections.map((one) => [one.path, one.text])).toEqual([
    ["task", "For ${name}."],
    ["outer", "All."],
    ["outer/inner", "Some."],
  ]);
  expect(seeded.tools.map((one) => [one.name, one.description])).toEqual([["look", "Looks."]]);
  expect(await store.load(made)).toEqual(seeded);
  expect(await readdir(path.join(folder, "tests"))).toEqual(["overridden.json"]);
  const { report, overrides } = await store.apply(made);
  expect(new Set(report.map(({ status }) => status))).toEqual(new Set(["applied"]));
  const plain = new Prompt(made).bind({ task: { name: "Ada" } }).render();
  const overridden = new Prompt(made, { overrides }).bind({ task: { name: "Ada" } }).render();
  expect(overridden.text).toBe(plain.text);
  expect(overridden.descriptor).toEqual(plain.descriptor);
});

it("edited texts and descriptions replace the template's own (PR-29)", async () => {
  const { store } = await setup();
  const made = template();
  const seeded = await store.seed(made);
  await store.save(
    edit(seeded, { "outer/inner": "Less.", task: "Only for ${name}, $$1." }, "Gazes."),
  );
  const applied = await store.apply(made);
  const prompt = new Prompt(made, applied).bind({ task: { name: "Ada" } });
  const { text, tools, descriptor } = prompt.render();
  expect(text).toBe(
    "## 1. Task\n\nOnly for Ada, $1.\n\n## 2. Outer\n\nAll.\n\n### 2.1 Inner\n\nLess.\n\n## 3. Fixed\n\nStays.",
  );
  expect(tools.map(({ description }) => description)).toEqual(["Gazes."]);
  expect(descriptor.hash).not.toBe(made.descriptor.hash);
  expect(prompt.overrides).toEqual(applied.report);
});

it("stale, unknown and refused overrides are reported and not applied (PR-29)", async () => {
  const { store } = await setup();
  const seeded = await store.seed(template());
  const extra = { hash: "0", text: "Mine." };
  await store.save({
    ...edit(seeded, { task: "Old ${name}.", outer: "New outer." }, "Old look."),
    sections: [
      ...edit(seeded, { task: "Old ${name}.", outer: "New outer." }, "").sections,
      { path: "gone", ...extra },
      { path: "fixed", ...extra },
    ],
  });
  const changed = template({ task: "Now for ${name}.", description: "Looks closer." });
  const { overrides, report } = await store.apply(changed);
  expect(report).toEqual([
    { kind: "section", target: "task", status: "stale" },
    { kind: "section", target: "outer", status: "applied" },
    { kind: "section", target: "outer/inner", status: "applied" },
    { kind: "section", target: "gone", status: "unknown" },
    { kind: "section", target: "fixed", status: "refused" },
    { kind: "tool", target: "look", status: "stale" },
  ]);
  const prompt = new Prompt(changed, { overrides }).bind({ task: { name: "Ada" } });
  const { text, tools } = prompt.render();
  expect(prompt.overrides).toEqual(report);
  expect(text).toBe(
    "## 1. Task\n\nNow for Ada.\n\n## 2. Outer\n\nNew outer.\n\n### 2.1 Inner\n\nSome.\n\n## 3. Fixed\n\nStays.",
  );
  expect(tools.map(({ description }) => description)).toEqual(["Looks closer."]);
});

it("diff shows each override with the text that it replaces (PR-29)", async () => {
  const { store } = await setup();
  const made = template();
  expect(await store.diff(made)).toEqual([]);
  await store.save(edit(await store.seed(made), { outer: "Mine." }, "Looks."));
  expect((await store.diff(made)).filter(({ changed }) => changed)).toEqual([
    {
      kind: "section",
      target: "outer",
      status: "applied",
      current: "All.",
      override: "Mine.",
      changed: true,
    },
  ]);
});

it.each([
  {
    text: "For ${nmae}.",
    reason: "section 'task': unknown placeholder ${nmae} in the override. Parameters: name.",
  },
  { text: "For ${", reason: "'${' is not a placeholder" },
])("a prompt refuses the override `$text` when it is created (PR-30)", async ({ text, reason }) => {
  const { store } = await setup();
  const made = template();
  const overrides = edit(await store.seed(made), { task: text }, "Looks.");
  const refused = expect.objectContaining({
    code: "OVERRIDE_INVALID",
    message: expect.stringContaining(reason),
  });
  expect(() => new Prompt(made, { overrides })).toThrow(refused);
});

it("a prompt refuses the overrides of another prompt (PR-29)", () => {
  const overrides: PromptOverrides = { ns: "tests", key: "other", sections: [], tools: [] };
  expect(() => new Prompt(template(), { overrides })).toThrow(
    "prompt 'tests/overridden': the overrides are for 'tests/other'.",
  );
});

it("seed does not overwrite edited files without the overwrite option (PR-31)", async () => {
  const { store } = await setup();
  const made = template();
  await store.save(edit(await store.seed(made), { outer: "Mine." }, "Looks."));
  await expect(store.seed(made)).rejects.toMatchObject({ code: "OVERRIDE_EXISTS" });
  await store.seed(made, { overwrite: true });
  expect((await store.diff(made)).filter(({ changed }) => changed)).toEqual([]);
});

it("the store round-trips any text (PR-31)", async () => {
  const { store } = await setup();
  const texts = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(texts, fc.string(), async (sections, description) => {
      const overrides: PromptOverrides = {
        ns: "a/b",
        key: "c",
        sections: sections.map((text, index) => ({ path: `p${index}`, hash: "h", text })),
        tools: [{ name: "t", hash: "h", description }],
      };
      await store.save(overrides);
      expect(await store.load({ ns: "a/b", key: "c" })).toEqual(overrides);
    }),
    { numRuns: 50 },
  );
});

interface Hostile {
  readonly name: string;
  readonly code: string;
  readonly plant: (file: string, folder: string) => Promise<unknown>;
}

const good = JSON.stringify({
  version: 1,
  ns: "tests",
  key: "overridden",
  sections: [],
  tools: [],
});

const HOSTILE: readonly Hostile[] = [
  {
    name: "a link to a file outside",
    code: "EACCES",
    plant: async (file, folder) => {
      await writeFile(path.join(folder, "outside.json"), good);
      await symlink(path.join(folder, "outside.json"), file);
    },
  },
  { name: "a link to nowhere", code: "EACCES", plant: (file) => symlink("/nonexistent", file) },
  { name: "a link to itself", code: "EACCES", plant: (file) => symlink(file, file) },
  {
    name: "a link in place of the directory",
    code: "EACCES",
    plant: async (file, folder) => {
      await rm(path.dirname(file), { recursive: true });
      await mkdir(path.join(folder, "elsewhere"));
      await writeFile(path.join(folder, "elsewhere", path.basename(file)), good);
      await symlink(path.join(folder, "elsewhere"), path.dirname(file));
    },
  },
  { name: "a directory", code: "EISDIR", plant: (file) => mkdir(file) },
  {
    name: "a pipe without a writer",
    code: "EACCES",
    plant: async (file) => execFileSync("mkfifo", [file]),
  },
  {
    name: "a file in place of the directory",
    code: "ENOTDIR",
    plant: async (file) => {
      await rm(path.dirname(file), { recursive: true });
      await writeFile(path.dirname(file), good);
    },
  },
  {
    name: "a file of a terabyte",
    code: "OVERRIDE_FILE_INVALID",
    plant: async (file) => {
      await writeFile(file, good);
      await truncate(file, 2 ** 40);
    },
  },
  { name: "nothing", code: "OVERRIDE_FILE_INVALID", plant: (file) => writeFile(file, "") },
  {
    name: "half a file",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) => writeFile(file, good.slice(0, -5)),
  },
  {
    name: "bytes that are not text",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) => writeFile(file, Buffer.from([0xff, 0xfe, 0x00])),
  },
  {
    name: "brackets without end",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) => writeFile(file, "[".repeat(500_000)),
  },
  { name: "a list", code: "OVERRIDE_FILE_INVALID", plant: (file) => writeFile(file, "[]") },
  { name: "null", code: "OVERRIDE_FILE_INVALID", plant: (file) => writeFile(file, "null") },
  {
    name: "another version",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) => writeFile(file, good.replace('"version":1', '"version":2')),
  },
  {
    name: "a field called __proto__",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) => writeFile(file, good.replace("{", '{"__proto__":{"a":1},')),
  },
  {
    name: "a section without a hash",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) => writeFile(file, good.replace("[]", '[{"path":"task","text":"Hi."}]')),
  },
  {
    name: "one section twice",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) =>
      writeFile(
        file,
        good.replace("[]", `[${Array(2).fill('{"path":"task","hash":"h","text":"t"}').join()}]`),
      ),
  },
  {
    name: "the overrides of another prompt",
    code: "OVERRIDE_FILE_INVALID",
    plant: (file) => writeFile(file, good.replace("overridden", "other")),
  },
];

it.each(HOSTILE)("the store reports $name as $code (PR-31)", async ({ plant, code }) => {
  const { store, folder, outside } = await setup();
  const file = path.join(folder, "tests", "overridden.json");
  await mkdir(path.dirname(file), { recursive: true });
  await plant(file, outside);
  for (const ask of [
    () => store.load(template()),
    () => store.apply(template()),
    () => store.diff(template()),
  ]) {
    const error = await ask().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain(tmpdir());
  }
});

it("list returns readable and unreadable files (PR-31)", async () => {
  const { store, folder } = await setup();
  expect(await store.list()).toEqual([]);
  const overrides: PromptOverrides = { ns: "a/b", key: "c", sections: [], tools: [] };
  await store.save(overrides);
  await writeFile(path.join(folder, "a", "bad.json"), "{");
  await symlink("/", path.join(folder, "a", "link"));
  const listed = await store.list();
  expect(listed).toEqual([
    { file: "a/b/c.json", overrides },
    {
      file: "a/bad.json",
      error: expect.objectContaining({ message: "override file 'a/bad.json': it is not JSON." }),
    },
    { file: "a/link", error: expect.objectContaining({ code: "EACCES" }) },
  ]);
});

it("the store never writes through a link (PR-31, PR-32)", async () => {
  const { store, folder, outside } = await setup();
  await writeFile(path.join(outside, "precious.json"), "precious");
  await mkdir(path.join(folder, "tests"));
  await symlink(path.join(outside, "precious.json"), path.join(folder, "tests", "overridden.json"));
  await expect(store.seed(template(), { overwrite: true })).rejects.toMatchObject({
    code: "EACCES",
  });
  expect(await readFile(path.join(outside, "precious.json"), "utf8")).toBe("precious");
});

it("the store leaves no partially written file behind (PR-32)", async () => {
  const { store, folder } = await setup();
  const overrides = (text: string): PromptOverrides => ({
    ns: "a",
    key: "b",
    sections: [{ path: "p", hash: "h", text }],
    tools: [],
  });
  await store.save(overrides("first"));
  const writes = Array.from({ length: 20 }, (_, index) => store.save(overrides(`${index}`)));
  const reads = Array.from({ length: 20 }, () => store.load({ ns: "a", key: "b" }));
  await Promise.all(writes);
  for (const read of await Promise.all(reads)) expect(read?.sections.length).toBe(1);
  expect(await readdir(path.join(folder, "a"))).toEqual(["b.json"]);
  await expect(store.save(overrides("x".repeat(2 ** 21)))).rejects.toMatchObject({
    code: "OVERRIDE_FILE_INVALID",
  });
  expect(await readdir(path.join(folder, "a"))).toEqual(["b.json"]);
});

it.each([
  { ns: "..", key: "a" },
  { ns: "a/../..", key: "a" },
  { ns: "/etc", key: "passwd" },
  { ns: "a", key: "../b" },
  { ns: "a\\b", key: "c" },
])("the store refuses the names $ns and $key (PR-31)", async (names) => {
  const { store } = await setup();
  await expect(store.load(names)).rejects.toMatchObject({ code: "OVERRIDE_FILE_INVALID" });
});

async function setup() {
  const base = await mkdtemp(path.join(tmpdir(), "wink-overrides-"));
  folders.push(base);
  const folder = path.join(base, "store");
  const outside = path.join(base, "outside");
  await mkdir(folder);
  await mkdir(outside);
  const filesystem = await HostFilesystem.open(folder);
  opened.push(filesystem);
  return { folder, outside, store: new OverrideStore({ filesystem }) };
}

function template({ task = "For ${name}.", description = "Looks." } = {}) {
  return new PromptTemplate({
    ns: "tests",
    key: "overridden",
    sections: [
      new MarkdownSection({
        key: "task",
        title: "Task",
        params: z.object({ name: z.string() }),
        template: task,
      }),
      new MarkdownSection({
        key: "outer",
        title: "Outer",
        template: "All.",
        tools: [
          defineTool({
            name: "look",
            description,
            input: z.object({}),
            access: "read",
            handler: () => ok(undefined, "Looked."),
          }),
        ],
        children: [new MarkdownSection({ key: "inner", title: "Inner", template: "Some." })],
      }),
      new MarkdownSection({
        key: "fixed",
        title: "Fixed",
        template: "Stays.",
        acceptsOverrides: false,
      }),
    ],
  });
}

function edit(
  overrides: PromptOverrides,
  texts: Readonly<Record<string, string>>,
  description: string,
): PromptOverrides {
  return {
    ...overrides,
    sections: overrides.sections.map((one) => ({ ...one, text: texts[one.path] ?? one.text })),
    tools: overrides.tools.map((one) => ({ ...one, description })),
  };
}
