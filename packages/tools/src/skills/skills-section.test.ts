import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import type { RefusedSkill } from "./skill.js";
import { SkillsSection } from "./skills-section.js";

const skill = (name: string, more = "", body = `Do ${name}.`) =>
  `---\nname: ${name}\ndescription: Use it for ${name}.\n${more}---\n\n${body}\n`;

/** Ten skills, each with another part of the open format. */
const TEN: Readonly<Record<string, string>> = {
  "pdf-forms/SKILL.md": skill("pdf-forms"),
  "pdf-forms/scripts/fill.py": "print(1)\n",
  "pdf-forms/references/FIELDS.md": "# Fields\n",
  "licensed/SKILL.md": skill("licensed", "license: Apache-2.0\n"),
  "needs-git/SKILL.md": skill("needs-git", "compatibility: Needs git and a network.\n"),
  "with-metadata/SKILL.md": skill("with-metadata", 'metadata:\n  author: x\n  version: "1.0"\n'),
  "with-tools/SKILL.md": skill("with-tools", "allowed-tools: Bash(git:*) Read\n"),
  "windows/SKILL.md": skill("windows").replaceAll("\n", "\r\n"),
  "marked/SKILL.md": `\uFEFF${skill("marked")}`,
  "folded/SKILL.md":
    "---\nname: folded\ndescription: >-\n  Use it for long\n  texts: two lines.\n---\nFold.\n",
  "quoted/SKILL.md":
    '---\n# a comment\ndescription: "Costs $5, or $' +
    "{price}: ask first\"\nname: 'quoted'\n---\nPay.\n\n---\n\nA rule is not the end.\n",
  "empty-body/SKILL.md": "---\nname: empty-body\ndescription: 日本語のスキル\n---\n",
};

async function load(files: Readonly<Record<string, string | Uint8Array>>, options: object = {}) {
  const refused: RefusedSkill[] = [];
  const prefixed = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`.agents/skills/${name}`, text]),
  );
  const filesystem = new InMemoryFilesystem({ files: prefixed });
  const onRefused = (each: RefusedSkill) => refused.push(each);
  const section = await SkillsSection.create({
    ...{ session: new Session(), filesystem, onRefused },
    ...options,
  });
  return { section, filesystem, refused };
}

function promptOf(section: SkillsSection) {
  return new Prompt(new PromptTemplate({ ns: "tests", key: "skills", sections: [section] })).bind();
}

describe("SkillsSection", () => {
  it("loads ten skills of the open format and shows only their descriptions (TL-70)", async () => {
    const { section, refused } = await load(TEN);
    expect(refused).toEqual([]);
    expect(section.skills.map(({ name }) => name).sort()).toEqual(
      [...new Set(Object.keys(TEN).map((name) => name.split("/")[0]))].sort(),
    );
    const { text } = promptOf(section).render({ session: new Session() });
    expect(text).toContain("Use it for pdf-forms.");
    expect(text).toContain("Use it for long texts: two lines.");
    expect(text).toContain(`Costs $5, or \${price}: ask first`);
    expect(text).not.toContain("Do pdf-forms.");
    expect(text).not.toContain("fill.py");
  });

  it("shows the instructions and files of a skill that the model opens (TL-71)", async () => {
    const { section } = await load(TEN);
    const session = new Session();
    const prompt = promptOf(section);
    const rendered = prompt.render({ session });
    const open = rendered.tools.find(({ name }) => name === "open_sections");
    const context = createToolContext({ session, prompt, renderedPrompt: rendered });
    await open?.handler({ section_keys: ["skills/pdf-forms", "skills/needs-git"] }, context);
    const { text } = prompt.render({ session });
    expect(text).toContain("Do pdf-forms.");
    expect(text).toContain("The skill's folder is '.agents/skills/pdf-forms'.");
    expect(text).toContain("- .agents/skills/pdf-forms/scripts/fill.py");
    expect(text).toContain("Needs: Needs git and a network.");
    expect(text).not.toContain("Do licensed.");
  });

  it("reads a skill once, so that an agent cannot change its instructions (TL-71)", async () => {
    const { section, filesystem } = await load(TEN);
    await filesystem.write(".agents/skills/pdf-forms/SKILL.md", skill("pdf-forms", "", "Obey."));
    const pdf = section.children.find(({ key }) => key === "pdf-forms");
    expect(pdf?.source).toContain("Do pdf-forms.");
  });

  it("has the same skills and the same hash in a session that is continued, also if the files have changed (TL-71)", async () => {
    const session = new Session();
    const { section, filesystem } = await load(TEN, { session });
    const before = promptOf(section).render({ session });
    await filesystem.write(".agents/skills/pdf-forms/SKILL.md", skill("pdf-forms", "", "Obey."));
    await filesystem.write(".agents/skills/new/SKILL.md", skill("new"));
    await filesystem.delete(".agents/skills/licensed", { recursive: true });
    const again = promptOf(await SkillsSection.create({ session, filesystem })).render({ session });
    expect(again.text).toBe(before.text);
    expect(again.descriptor.hash).toBe(before.descriptor.hash);
  });

  it("loads skills with a colon in an unquoted description, in several lines, or with skill.md (TL-70)", async () => {
    const text = "description: Use it when: the user asks. Not for: tests\nmetadata:\n  a: b";
    const { section, refused } = await load({
      "colon/SKILL.md": `---\nname: colon\n${text}\n---\nBody.\n`,
      "colon-windows/SKILL.md": `---\nname: colon-windows\n${text}\n---\n`.replaceAll("\n", "\r\n"),
      "lower/skill.md": skill("lower"),
      "lines/SKILL.md":
        "---\nname: lines\ndescription: |\n  Helps.\n\n  ## 9. Rules\n\n  Obey.\n---\nBody.\n",
    });
    expect(refused).toEqual([]);
    expect(section.skills).toMatchObject([
      { name: "colon", description: "Use it when: the user asks. Not for: tests" },
      { name: "colon-windows", description: "Use it when: the user asks. Not for: tests" },
      { name: "lines" },
      { name: "lower", files: [] },
    ]);
    const { text: shown } = promptOf(section).render({ session: new Session() });
    // In one line, so that it is not a heading of the prompt.
    expect(shown).toContain("Helps. ## 9. Rules Obey.");
  });

  it("loads a folder through a link once, and refuses a link that leads nowhere by name (TL-72)", async () => {
    const { filesystem } = await load({ "real/SKILL.md": skill("real") });
    await filesystem.write("shared/other/SKILL.md", skill("other"));
    await filesystem.mkdir(".claude/skills", { parents: true });
    await filesystem.symlink("../../.agents/skills/real", ".claude/skills/real");
    await filesystem.symlink("../../shared/other", ".claude/skills/other");
    await filesystem.symlink("../../../outside", ".claude/skills/out");
    const refused: RefusedSkill[] = [];
    const section = await SkillsSection.create({
      ...{ session: new Session(), filesystem },
      onRefused: (each) => refused.push(each),
    });
    expect(section.skills.map(({ path: folder }) => folder)).toEqual([
      ".agents/skills/real",
      "shared/other",
    ]);
    expect(refused).toEqual([
      { path: ".claude/skills/out", reason: "it is a link out of the workspace, or to nothing" },
    ]);
  });

  const big = new Uint8Array(17 * 1024 * 1024);
  const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nname: [*b,*b,*b,*b]\ndescription: x\n---\n`;
  it.each<[string, Readonly<Record<string, string | Uint8Array>>, string]>([
    [
      "no front matter",
      { "x/SKILL.md": "# Hello\n" },
      "SKILL.md does not start with front matter (---)",
    ],
    ["no end", { "x/SKILL.md": "---\nname: x\n" }, "the front matter of SKILL.md has no end (---)"],
    ["no name", { "x/SKILL.md": "---\ndescription: y\n---\n" }, "the field 'name' has no text"],
    [
      "no description",
      { "x/SKILL.md": "---\nname: x\n---\n" },
      "the field 'description' has no text",
    ],
    [
      "a list as name",
      { "x/SKILL.md": "---\nname: [a]\ndescription: y\n---\n" },
      "the field 'name' has no text",
    ],
    [
      "a name that is a path",
      { "x/SKILL.md": "---\nname: ../x\ndescription: y\n---\n" },
      "its name may have only lower-case letters, digits and single hyphens between them",
    ],
    [
      "a description of 10,000 lines",
      { "x/SKILL.md": `---\nname: x\ndescription: |\n${"  line\n".repeat(10_000)}---\n` },
      "the front matter of SKILL.md is longer than 16384 characters",
    ],
    [
      "a long description",
      { "x/SKILL.md": `---\nname: x\ndescription: ${"y".repeat(1_025)}\n---\n` },
      "the field 'description' has 1025 characters, the format allows 1024",
    ],
    [
      "a file of 17 MiB",
      { "x/SKILL.md": skill("x"), "x/big.bin": big },
      "its files have more than 16777216 bytes",
    ],
    [
      "a large SKILL.md",
      { "x/SKILL.md": skill("x", "", "y".repeat(300_000)) },
      "SKILL.md has 300045 bytes, at most 262144 are allowed",
    ],
    [
      "bytes that are not text",
      { "x/SKILL.md": new Uint8Array([0xff, 0xfe]) },
      "SKILL.md is not UTF-8 text",
    ],
    [
      "aliases that expand",
      { "x/SKILL.md": bomb },
      "the front matter is not valid YAML (Alias resolution is disabled)",
    ],
    [
      "a tag that runs code",
      { "x/SKILL.md": '---\nname: x\ndescription: !!js/function "function(){}"\n---\n' },
      "the front matter is not valid YAML (Unresolved tag: tag:yaml.org,2002:js/function at line 2, column 14)",
    ],
    [
      "YAML that is not closed",
      { "x/SKILL.md": '---\nname: "x\ndescription: y\n---\n' },
      'the front matter is not valid YAML (Missing closing "quote at line 2, column 15)',
    ],
    [
      "a list",
      { "x/SKILL.md": "---\n- a\n---\n" },
      "the front matter is not a list of `field: value`",
    ],
    ["SKILL.md as a directory", { "x/SKILL.md/a": "" }, "SKILL.md is not a regular file"],
  ])("refuses a skill with %s by name, and loads the others (TL-72)", async (_, files, reason) => {
    const { section, refused } = await load({ ...files, "good/SKILL.md": skill("good") });
    expect(section.skills.map(({ name }) => name)).toEqual(["good"]);
    expect(refused).toEqual([{ path: ".agents/skills/x", reason }]);
    expect(section.refused).toEqual(refused);
  });

  it("uses the first of two skills with the same name, and refuses the other (TL-72)", async () => {
    const { section, refused } = await load({
      "a/SKILL.md": skill("same"),
      "b/SKILL.md": skill("same"),
    });
    expect(section.skills.map(({ path: folder }) => folder)).toEqual([".agents/skills/a"]);
    expect(refused).toEqual([
      { path: ".agents/skills/b", reason: "'.agents/skills/a' already has the name 'same'" },
    ]);
  });

  it("refuses skills with a link or with 100 MB on the host, and does not read the target (TL-72)", async () => {
    const root = await mkdtemp(path.join(tmpdir(), "wink-skills-"));
    try {
      const folder = path.join(root, "ws/.agents/skills/x");
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(root, "secret"), "canary");
      await writeFile(path.join(folder, "SKILL.md"), skill("x"));
      await symlink("../../../../secret", path.join(folder, "notes.md"));
      const large = path.join(root, "ws/.agents/skills/large");
      await mkdir(large);
      await writeFile(path.join(large, "SKILL.md"), skill("large"));
      // 100 MB without blocks on the disk.
      await writeFile(path.join(large, "data.bin"), "");
      await truncate(path.join(large, "data.bin"), 100_000_000);
      await using filesystem = await HostFilesystem.open(path.join(root, "ws"));
      const refused: RefusedSkill[] = [];
      const section = await SkillsSection.create({
        ...{ session: new Session(), filesystem },
        onRefused: (each) => refused.push(each),
      });
      expect(section.skills).toEqual([]);
      expect(refused).toEqual([
        { path: ".agents/skills/large", reason: "its files have more than 16777216 bytes" },
        { path: ".agents/skills/x", reason: "'notes.md' is not a regular file" },
      ]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it("is left out of the prompt without skills, and warns about refused ones (TL-72)", async () => {
    const { section } = await load({ "none/README.md": "" });
    expect(promptOf(section).render({ session: new Session() }).text).not.toContain("Skills");
    expect([section.skills, section.refused]).toEqual([[], []]);
  });
});
