import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { readRevision } from "./read-tree.js";

it("readRevision reads the files of a commit and not those of the working tree", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-revision-"));
  try {
    const git = (...args: readonly string[]) =>
      execa("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
        cwd: folder,
      });
    await git("init", "--quiet");
    await writeFile(path.join(folder, "a.ts"), "first\n\ncommit ü\n");
    await writeFile(path.join(folder, "empty.ts"), "");
    await writeFile(path.join(folder, "z.md"), "not wanted\n");
    await git("add", ".");
    await git("commit", "--quiet", "--message", "First");
    await writeFile(path.join(folder, "a.ts"), "changed\n");

    const files = await readRevision("HEAD", (file) => file.endsWith(".ts"), folder);
    expect(files).toEqual([
      { file: "a.ts", text: "first\n\ncommit ü\n" },
      { file: "empty.ts", text: "" },
    ]);
    await expect(readRevision("no-such-revision", () => true, folder)).rejects.toThrow(
      "no-such-revision",
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
