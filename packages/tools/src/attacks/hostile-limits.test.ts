import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import { WorkspaceDigest } from "../digest/workspace-digest.js";
import { openWorkspace } from "../files/workspace.test.support.js";

it("a digest reports how many files it did not read because of its limits, and reads the README first (TL-60)", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`requirements/${index}.txt`, "a ".repeat(125_000)]),
  );
  const filesystem = new InMemoryFilesystem({
    files: { ...files, "requirements.txt": "flask", "README.md": "# Read me" },
  });
  const digest = await WorkspaceDigest.fromFilesystem(filesystem);
  expect(digest.patterns).toContain("Not read because of limits: 296 files, 74.0 MB");
  expect(digest.frameworks).toEqual(["Flask"]);
  expect(digest.keyFiles).toContainEqual({
    path: "README.md",
    content: "# Read me",
    truncated: false,
  });
});

it("edit_file refuses to make more than 100,000 replacements and changes nothing (TL-61)", async () => {
  const { ask, filesystem } = await openWorkspace({ f: "a".repeat(100_001) });
  const edit = { file_path: "f", old_string: "a", new_string: "b", replace_all: true };
  expect(await ask("edit_file", edit)).toContain("more than 100,000 replacements");
  expect((await filesystem.stat("f")).sizeBytes).toBe(100_001);
  await filesystem.write("f", "a".repeat(100_000), { mode: "overwrite" });
  expect(await ask("edit_file", edit)).toContain("100,000 replacements");
  expect((await filesystem.read("f")).content.startsWith("bbb")).toBe(true);
});

it("edit_file reports that a file is too long to search a similar place (TL-59)", async () => {
  const { ask } = await openWorkspace({ f: "\n".repeat(300_000) });
  const edit = { file_path: "f", old_string: "nothing like it", new_string: "b" };
  expect(await ask("edit_file", edit)).toContain("too long to search for a similar place");
});
