import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Filesystem, overlay } from "@wink/filesystem";
import { filesystemContract } from "@wink/filesystem/testing";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { git } from "../git/repositories.test.support.js";
import { openRevision } from "../git/revision-filesystem.js";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { type OverlayMount, overlayHost } from "./overlay-host.js";

const SECRET =
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN\n-----END RSA PRIVATE KEY-----\n";

function repository(files: Readonly<Record<string, string>>): string {
  const directory = scratchDirectory();
  git(directory, "init", "-q");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  git(directory, "add", ".");
  git(directory, "commit", "-qm", "first", "--allow-empty");
  return directory;
}

async function open(directory: string, mount: Partial<OverlayMount>) {
  const options = { allowedHostRoots: [directory], stateDirectory: scratchDirectory() };
  const overlaid = await overlayHost({ hostPath: ".", ...mount }, options);
  onTestFinished(() => overlaid.close());
  return overlaid;
}

async function textOf(filesystem: Filesystem, path: string): Promise<string> {
  return (await filesystem.read(path)).content;
}

let emptyCommit: Promise<Filesystem>;
beforeAll(() => {
  const directory = mkdtempSync(join(tmpdir(), "wink-revision-"));
  git(directory, "init", "-q");
  git(directory, "commit", "-qm", "first", "--allow-empty");
  emptyCommit = openRevision(directory, "HEAD", {}).then(({ filesystem }) => filesystem);
  return () => rmSync(directory, { recursive: true });
});

filesystemContract("an overlay over a git revision", async ({ root: _, ...options }) =>
  overlay(await emptyCommit, options),
);

it("an overlay of a revision shows the commit, and applies to the work tree (WS-18)", async () => {
  const directory = repository({ "a.txt": "1\n", "src/b.txt": "1\n", "src/c.txt": "1\n" });
  writeFileSync(join(directory, "a.txt"), "changed\n");
  writeFileSync(join(directory, "new.txt"), "new\n");
  const { filesystem, changes } = await open(directory, { git: { rev: "HEAD" } });
  const found = (await filesystem.grep("1")).map(({ path }) => path);
  expect(found).toEqual(["a.txt", "src/b.txt", "src/c.txt"]);
  expect(await filesystem.exists("new.txt")).toBe(false);
  await filesystem.write("src/b.txt", "2\n");
  await changes().apply();
  expect(readFileSync(join(directory, "src/b.txt"), "utf8")).toBe("2\n");
  await filesystem.write("a.txt", "2\n");
  await expect(changes().apply()).rejects.toMatchObject({
    conflicts: [{ path: "a.txt", reason: "changed" }],
  });
  expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("changed\n");
});

it("an overlay of a revision with links and execute bits has them too (WS-18)", async () => {
  const directory = repository({ "run.sh": "a.txt" });
  git(directory, "update-index", "--chmod=+x", "run.sh");
  const id = git(directory, "hash-object", "-w", "run.sh");
  git(directory, "update-index", "--add", "--cacheinfo", `120000,${id},link`);
  git(directory, "commit", "-qm", "link");
  const { filesystem } = await open(directory, { git: { rev: "HEAD" } });
  expect((await filesystem.stat("run.sh")).mode).toBe(0o755);
  expect(await filesystem.readlink("link")).toBe("a.txt");
  await expect(open(directory, { git: { rev: "nowhere" } })).rejects.toMatchObject({
    code: "UNKNOWN_REVISION",
  });
});

it("an overlay shows tracked files that a rule ignores, and only these (WS-16)", async () => {
  const directory = repository({ ".gitignore": "dist/\n*.log\n", "a.ts": "1\n" });
  for (const path of ["dist/kept.js", "dist/other.js", "a.log", "kept.log"]) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), "1\n");
  }
  git(directory, "add", "-f", "dist/kept.js", "kept.log");
  const { filesystem } = await open(directory, { gitignore: true });
  const found = (await filesystem.glob("**")).map(({ path }) => path);
  expect(found).toEqual([".gitignore", "a.ts", "dist/kept.js", "kept.log"]);
});

it("a search reads no secret, and reports the files that it left out (WS-18)", async () => {
  const directory = repository({ "a.txt": "BEGIN\n", "notes.txt": SECRET });
  const { filesystem, leftOut } = await open(directory, {});
  const found = await filesystem.grep("BEGIN");
  expect(found.map(({ path }) => path)).toEqual(["a.txt"]);
  expect(leftOut().filter(({ reason }) => reason === "secret")).toEqual([
    {
      path: "notes.txt",
      reason: "secret",
      isDirectory: false,
      detail: "secret content: private key",
    },
  ]);
});

it("a file that changes below the overlay after a search is stale (WS-18)", async () => {
  const directory = repository({ "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
  const { filesystem } = await open(directory, {});
  const before = await filesystem.snapshot();
  expect(await filesystem.grep("1")).toHaveLength(3);
  writeFileSync(join(directory, "a.txt"), "2\n");
  rmSync(join(directory, "b.txt"));
  await expect(textOf(filesystem, "a.txt")).rejects.toMatchObject({ code: "ESTALE" });
  await expect(textOf(filesystem, "b.txt")).rejects.toMatchObject({ code: "ESTALE" });
  await filesystem.write("c.txt", "3\n");
  await filesystem.restore(before);
  expect(await textOf(filesystem, "c.txt")).toBe("1\n");
});
