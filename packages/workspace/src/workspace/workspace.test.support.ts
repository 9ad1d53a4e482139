import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Workspace } from "./workspace.js";
import type { OpenWorkspaceOptions } from "./workspace-options.js";

/** A user's directory with its state directory, deleted at the end of the test. */
export interface Project {
  readonly directory: string;
  readonly stateDirectory: string;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Every file with its text. */
  read(): Promise<Readonly<Record<string, string>>>;
  /** Opens the workspace. It is closed at the end of the test. */
  open(options?: OpenWorkspaceOptions): Promise<Workspace>;
}

export async function makeProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const home = await mkdtemp(join(tmpdir(), "wink-workspace-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return await projectIn(home, files);
}

export async function projectIn(
  home: string,
  files: Readonly<Record<string, string>>,
): Promise<Project> {
  const directory = join(home, "project");
  const stateDirectory = join(home, "state");
  await mkdir(directory, { recursive: true });
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  return {
    directory,
    stateDirectory,
    write,
    read: () => readTree(directory),
    async open(options = {}) {
      const workspace = await Workspace.open(directory, { stateDirectory, ...options });
      onTestFinished(() => workspace.close());
      return workspace;
    },
  };
}

async function readTree(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => !path.startsWith(".git/"))
    .sort();
  const texts = paths.map(async (path) => [path, await readFile(join(directory, path), "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}
