import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

it("the changesets turn into the next versions of all released packages", async () => {
  const copy = await mkdtemp(path.join(tmpdir(), "wink-changesets-"));
  onTestFinished(() => rm(copy, { recursive: true }));
  const files = execFileSync("git", ["ls-files", "*package.json", "pnpm-workspace.yaml"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of [".changeset", ...files.trim().split("\n")])
    await cp(path.join(root, file), path.join(copy, file), { recursive: true });
  await symlink(path.join(root, "node_modules"), path.join(copy, "node_modules"));

  execFileSync(path.join(root, "node_modules/.bin/changeset"), ["version"], { cwd: copy });

  const store = path.join(copy, "packages/store");
  const { version } = JSON.parse(await readFile(path.join(store, "package.json"), "utf8"));
  expect(version).toMatch(/^0\.\d+\.\d+$/);
  expect(await readFile(path.join(store, "CHANGELOG.md"), "utf8")).toContain(`## ${version}`);
});
