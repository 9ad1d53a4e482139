import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { HostFilesystem } from "@wink/filesystem/host";
import { FilesystemBackend } from "deepagents";
import fastGlob from "fast-glob";
import { glob as tinyglobby } from "tinyglobby";
import type { Run } from "./harness.js";
import { eachPath, NEEDLE, shuffled, sourceTree } from "./tree.js";

/** The host backend against raw `node:fs`, ripgrep and glob libraries, which do not check for escaping links. */
export async function run(run: Run): Promise<void> {
  for (const count of run.quick ? [1_000] : [1_000, 10_000, 100_000]) {
    const root = mkdtempSync(join(tmpdir(), "wink-bench-"));
    try {
      await compareAt(run, root, count);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}

async function compareAt(run: Run, root: string, count: number): Promise<void> {
  const files = sourceTree(count);
  writeTree(root, files);
  const paths = shuffled(files.keys());
  await using fs = await HostFilesystem.open(root, { fsync: false });
  await using safe = await HostFilesystem.open(root);
  const rival = new FilesystemBackend({ rootDir: root, virtualMode: true });
  const changed = (path: string, index: number) => `${files.get(path)}// ${index}\n`;
  const title = (name: string) => `${name}, ${count.toLocaleString("en")} files on disk`;

  await run.compare({
    name: title("read a small file"),
    ours: () => eachPath(paths, 2_000, (path) => fs.read(path)),
    peers: {
      readFileSync: () => eachPath(paths, 2_000, (path) => readFileSync(join(root, path), "utf8")),
      deepagents: () => eachPath(paths, 500, (path) => rival.read(`/${path}`)),
    },
    targets: [{ peer: "readFileSync", atMost: 5 }],
  });
  await run.compare({
    name: title("write a small file atomically"),
    ours: () => eachPath(paths, 500, (path, index) => fs.write(path, changed(path, index))),
    peers: {
      "writeFileSync + renameSync": () =>
        eachPath(paths, 500, (path, index) =>
          writeAtomically(join(root, path), changed(path, index)),
        ),
      "wink with fsync": () =>
        eachPath(paths, 50, (path, index) => safe.write(path, changed(path, index))),
    },
    targets: [{ peer: "writeFileSync + renameSync", atMost: 2 }],
  });
  await run.compare({
    name: title("glob **/*.ts"),
    ours: async () => void (await fs.glob("**/*.ts")),
    peers: {
      tinyglobby: async () => void (await tinyglobby("**/*.ts", { cwd: root, dot: true })),
      "fast-glob": async () => void (await fastGlob("**/*.ts", { cwd: root, dot: true })),
      ripgrep: () => void ripgrep(root, ["--files", "--hidden", "--no-ignore", "-g", "*.ts", "."]),
      deepagents: async () => void (await rival.glob("**/*.ts", "/")),
    },
    targets: [{ peer: "tinyglobby", atMost: 1.6 }],
  });
  await run.compare({
    name: title("grep a rare literal"),
    ours: async () => void (await fs.grep(NEEDLE)),
    peers: {
      ripgrep: () => void ripgrep(root, ["--hidden", "--no-ignore", "-n", "-F", NEEDLE, "."]),
    },
    // ripgrep uses every core; see specs/decisions/0014-one-thread.md.
    targets: [{ peer: "ripgrep", atMost: count > 10_000 ? 3 : 2.5 }],
  });
  // Run separately: it creates so much garbage that its collection would slow down the next subject.
  await run.compare({
    name: title("grep a rare literal as a library does"),
    ours: async () => void (await fs.grep(NEEDLE)),
    peers: { deepagents: async () => void (await rival.grep(NEEDLE, "/")) },
    targets: [],
    rounds: 1,
  });
}

function writeTree(root: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function writeAtomically(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

function ripgrep(root: string, args: readonly string[]): string {
  return execFileSync(rgPath, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 });
}
