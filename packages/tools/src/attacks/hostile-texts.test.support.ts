import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { parseInput, renderResult } from "@wink/prompt/adapter";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { WorkspaceDigest } from "../digest/workspace-digest.js";
import { VfsToolsSection } from "../files/vfs-tools-section.js";

type Work = () => Promise<unknown>;

const MEGABYTE = 1_000_000;
/** The maximum that a digest reads of one file, and parses of one TOML and one YAML file. */
const MANIFEST = 250_000;
const TOML = 98_000;
const YAML = 16_000;

/** Hostile texts from models and files. Each entry prepares its data and returns the work to measure. */
export const hostileTexts: Readonly<Record<string, () => Promise<Work>>> = {
  "edit_file, near miss: blanks inside a line": () =>
    edit(`x${" ".repeat(MEGABYTE - 10)}y\n`, `x${" ".repeat(40_000)}z`),
  "edit_file, near miss: blanks inside a line that is sought": () =>
    edit("some line\n", `some${" \t".repeat(20_000)}line`),
  "edit_file, search: a periodic text": () =>
    edit("a".repeat(MEGABYTE), `${"a".repeat(20_000)}b${"a".repeat(20_000)}`),
  "edit_file, search: a periodic text of lines": () =>
    edit("aaaaaaa\n".repeat(MEGABYTE / 8), `${"aaaaaaa\n".repeat(150)}b`),
  "edit_file, near miss: a letter that NFKC makes 18 times as long": () =>
    edit("\ufdfa".repeat(900_000), "\ufdfa\ufdfb\ufdfa"),
  "edit_file, near miss: lines of letters that NFKC makes 18 times as long": () =>
    edit(`${"\ufdfa".repeat(999)}\n`.repeat(900), "\ufdfa\ufdfb\ufdfa"),
  "edit_file, near miss: a million lines": () => edit("\n".repeat(MEGABYTE), "not there"),
  "edit_file, near miss: many similar lines": () => edit("abcde\n".repeat(MEGABYTE / 6), "abxcdx"),
  "edit_file, near miss: equal lines, all of them sought": () =>
    edit("same\n".repeat(MEGABYTE / 5 - 1), `${"same\n".repeat(199)}other`),
  "edit_file, near miss: long lines that differ at their ends": () =>
    edit(`${"a".repeat(200)}b\n`.repeat(5_000), `${"a".repeat(200)}c\n`.repeat(199)),
  "edit_file, replace_all: one letter in one line": () => edit("a".repeat(MEGABYTE), "a", true),
  "edit_file, replace_all: 90,000 places in one line": () =>
    edit("aaaaaaaaaab".repeat(90_000), "b", true),
  "edit_file, ambiguous: one letter": () => edit("a".repeat(MEGABYTE), "a"),
  "edit_file, diff: many lines replaced": () =>
    edit("\n".repeat(MEGABYTE), "\n".repeat(40_000), true),
  "multi_edit, search: 100 periodic texts": async () => {
    const edits = Array.from({ length: 100 }, (_, index) => ({
      old_string: `${"a".repeat(400)}${index}`,
      new_string: "x",
    }));
    return await call("a".repeat(MEGABYTE), "multi_edit", { file_path: "f", edits });
  },
  "mount: a .gitignore with half a megabyte of rules": () =>
    mountOf({ ".gitignore": "**/a*b*c*\n".repeat(52_000), "aab/abc.txt": "", "x.txt": "" }),
  "digest: go.mod of one word": () => digest({ "go.mod": "a".repeat(MANIFEST) }),
  "digest: go.mod of dots and dashes": () => digest({ "go.mod": "a.-".repeat(MANIFEST / 3) }),
  "digest: Makefile of one word": () => digest({ Makefile: "a".repeat(MANIFEST) }),
  "digest: Makefile of lines without a rule": () =>
    digest({ Makefile: "a b\n".repeat(MANIFEST / 4) }),
  "digest: pubspec.yaml of line ends": () => digest({ "pubspec.yaml": "\n".repeat(MANIFEST) }),
  "digest: pyproject.toml of line ends": () => digest({ "pyproject.toml": "\n".repeat(MANIFEST) }),
  "digest: requirements.txt of short names": () =>
    digest({ "requirements.txt": "a ".repeat(MANIFEST / 2) }),
  "digest: package.json of nested lists": () =>
    digest({ "package.json": `{"workspaces":${"[".repeat(120_000)}${"]".repeat(120_000)}}` }),
  "digest: Gemfile of quotes": () => digest({ Gemfile: 'gem "'.repeat(MANIFEST / 5) }),
  "digest: pyproject.toml of many small tables": () =>
    digest({ "pyproject.toml": Array.from({ length: TOML / 10 }, (_, i) => `[a${i}]\n`).join("") }),
  "digest: pyproject.toml of one dotted key": () =>
    digest({ "pyproject.toml": `${"a.".repeat(TOML / 2 - 10)}b = 1\n` }),
  "digest: Cargo.toml of nested lists": () =>
    digest({ "Cargo.toml": `a = ${"[".repeat(TOML / 2 - 10)}${"]".repeat(TOML / 2 - 10)}\n` }),
  "digest: Cargo.toml of a long list": () =>
    digest({ "Cargo.toml": `a = [${"1,".repeat(TOML / 2 - 10)}]\n` }),
  "digest: pubspec.yaml of aliases": () =>
    digest({
      "pubspec.yaml": `a0: &a0 [x]\n${Array.from({ length: 500 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n`).join("")}`,
    }),
  "digest: pubspec.yaml of nested lists": () => digest({ "pubspec.yaml": "[".repeat(YAML) }),
  "digest: pubspec.yaml of keys": () =>
    digest({ "pubspec.yaml": Array.from({ length: YAML / 10 }, (_, i) => `k${i}: 1\n`).join("") }),
  "digest: pom.xml of open tags and comments": () =>
    digest({ "pom.xml": "<exclusions><!--".repeat(MANIFEST / 16) }),
  "digest: build.gradle of blanks and open comments": () =>
    digest({ "build.gradle": `id${" ".repeat(MANIFEST / 2)}${"/*".repeat(MANIFEST / 5)}` }),
  "digest: a .csproj of open tags": () =>
    digest({ "a.csproj": '<PackageReference Include="'.repeat(MANIFEST / 27) }),
  "digest: setup.py of open lists": () =>
    digest({ "setup.py": "install_requires=[".repeat(MANIFEST / 18) }),
  "digest: setup.cfg of blanks": () => digest({ "setup.cfg": `a${" ".repeat(MANIFEST - 10)}` }),
  "digest: mix.exs of open tuples": () => digest({ "mix.exs": "{ :a ".repeat(MANIFEST / 5) }),
  "digest: Gemfile of blanks": () => digest({ Gemfile: `gem${" (".repeat(MANIFEST / 2 - 5)}` }),
  "digest: every manifest of a megabyte": () =>
    digest(Object.fromEntries(MANIFESTS.map((path) => [path, "a".repeat(MEGABYTE)]))),
  "digest: every manifest of line ends": () =>
    digest(Object.fromEntries(MANIFESTS.map((path) => [path, "\n".repeat(MANIFEST)]))),
  "digest: 300 requirements of 250 kB": () =>
    digest({
      "requirements.txt": "",
      ...Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [
          `requirements/${index}.txt`,
          "a ".repeat(MANIFEST / 2),
        ]),
      ),
    }),
};

const MANIFESTS = [
  "README.md",
  "go.mod",
  "Makefile",
  "pubspec.yaml",
  "pyproject.toml",
  "requirements.txt",
  "Cargo.toml",
  "package.json",
  "Gemfile",
  "pom.xml",
  "composer.json",
  "mix.exs",
];

function edit(content: string, sought: string, replaceAll = false): Promise<Work> {
  const input = { file_path: "f", old_string: sought, new_string: "x", replace_all: replaceAll };
  return call(content, "edit_file", input);
}

async function call(content: string, name: string, input: unknown): Promise<Work> {
  const session = new Session();
  const filesystem = new InMemoryFilesystem();
  await filesystem.write("f", content);
  const section = await VfsToolsSection.create({ session, filesystem, trackChanges: false });
  const context = createToolContext({ session, filesystem });
  const tool = section.tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`tool: '${name}' does not exist.`);
  return async () => {
    const parsed = await parseInput(tool, input);
    if (!parsed.success) throw new Error(parsed.message);
    return renderResult(tool, await tool.handler(parsed.value, context));
  };
}

async function digest(files: Readonly<Record<string, string>>): Promise<Work> {
  const filesystem = new InMemoryFilesystem({ files });
  return () => WorkspaceDigest.fromFilesystem(filesystem);
}

/** A mount that honours the `.gitignore` of a directory with these files. */
async function mountOf(files: Readonly<Record<string, string>>): Promise<Work> {
  const directory = mkdtempSync(join(tmpdir(), "wink-hostile-mount-"));
  process.once("exit", () => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const mounts = [{ hostPath: directory, gitignore: true }];
  return () =>
    VfsToolsSection.create({ session: new Session(), mounts, allowedHostRoots: [directory] });
}
