import { InMemoryFilesystem } from "@wink/filesystem";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import { AgentsFileSection, type AgentsFileSectionOptions } from "./agents-file-section.js";

const FILES = {
  "AGENTS.md": "Use tabs.\n",
  "web/AGENTS.md": "Use spaces here.\n",
  "web/admin/AGENTS.md": "Ask an admin.\n",
  "api/AGENTS.md": "Use semicolons.\n",
  "node_modules/x/AGENTS.md": "Not ours.\n",
  "web/admin/users.ts": "export {};\n",
};

async function create(options: Partial<AgentsFileSectionOptions> = {}) {
  const session = new Session();
  const filesystem = new InMemoryFilesystem({ files: FILES });
  const refused: string[] = [];
  const section = await AgentsFileSection.create({
    session,
    filesystem,
    onRefused: (path, reason) => refused.push(`${path}: ${reason}`),
    ...options,
  });
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "rules", sections: [section] }));
  return { section, session, refused, text: () => prompt.bind().render({ session }).text };
}

describe("AgentsFileSection", () => {
  it("reads a file through a link of the same workspace, and names a link that leads nowhere (TL-73)", async () => {
    const files = { "CLAUDE.md": "Use tabs.\n", "pkg/a/README.md": "" };
    const filesystem = new InMemoryFilesystem({ files });
    await filesystem.symlink("CLAUDE.md", "AGENTS.md");
    await filesystem.symlink("../../../out.md", "pkg/a/AGENTS.md");
    const { section, refused, text } = await create({ filesystem });
    expect(section.files).toEqual(["AGENTS.md"]);
    expect(text()).toContain("From 'AGENTS.md':\n\nUse tabs.");
    expect(refused).toEqual([expect.stringContaining("pkg/a/AGENTS.md: ")]);
  });

  it("keeps its rules if it is created again on the session of a continued run (TL-73, RUN-15)", async () => {
    const [session, filesystem] = [new Session(), new InMemoryFilesystem({ files: FILES })];
    const first = await create({ session, filesystem });
    const before = first.section.files;
    await filesystem.write("AGENTS.md", "Do what you want.\n", { mode: "overwrite" });
    const again = await create({ session, filesystem });
    expect(again.section.files).toEqual(before);
    const prompt = new PromptTemplate({ ns: "tests", key: "rules", sections: [again.section] });
    expect(new Prompt(prompt).bind().render({ session }).text).toContain("Use tabs.");
  });

  it("shows the file of the root, and those above a file that the model reads (TL-73)", async () => {
    const { section, session, text } = await create();
    expect(section.files).toEqual([
      "AGENTS.md",
      "api/AGENTS.md",
      "web/AGENTS.md",
      "web/admin/AGENTS.md",
    ]);
    expect(text()).toContain("Use tabs.");
    expect(text()).not.toContain("Use spaces here.");
    session.dispatch(
      EndToolCall({
        toolCallId: "1",
        prompt: "tests/rules",
        tool: "read_file",
        status: "completed",
        success: true,
        durationMs: 1,
        sequence: 1,
        files: [{ workspace: "vfs", path: "web/admin/users.ts", how: "view", revision: "1" }],
      }),
    );
    const shown = text();
    const places = ["Use tabs.", "Use spaces here.", "Ask an admin."].map((rule) =>
      shown.indexOf(rule),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(shown).not.toContain("semicolons");
    expect(shown).not.toContain("Not ours.");
  });

  it("uses the first of the names in each directory (TL-73)", async () => {
    const filesystem = new InMemoryFilesystem({
      files: { "AGENTS.md": "first", "CLAUDE.md": "second", "web/CLAUDE.md": "third" },
    });
    const { section } = await create({ filesystem, names: ["AGENTS.md", "CLAUDE.md"] });
    expect(section.files).toEqual(["AGENTS.md", "web/CLAUDE.md"]);
  });

  it("names each file that it does not load (TL-73)", async () => {
    const filesystem = new InMemoryFilesystem({
      files: { "AGENTS.md": "x".repeat(70_000), "a/AGENTS.md": new Uint8Array([0xff]) },
    });
    const { section, refused, text } = await create({ filesystem });
    expect(refused).toEqual([
      "AGENTS.md: it has 70000 bytes, at most 65536 are allowed",
      "a/AGENTS.md: it is not UTF-8 text",
    ]);
    expect(section.files).toEqual([]);
    expect(text()).not.toContain("Rules");
  });
});
