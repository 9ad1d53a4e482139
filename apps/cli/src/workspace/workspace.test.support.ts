import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory and a state directory, deleted at the end of the test. */
export interface Project {
  readonly directory: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  write(path: string, content: string): Promise<void>;
  /** Every file of the directory with its text. */
  read(): Promise<Readonly<Record<string, string>>>;
}

export async function makeProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const home = await mkdtemp(join(tmpdir(), "wink-cli-test-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const directory = join(home, "shop");
  const state = join(home, "state");
  await mkdir(directory);
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  return {
    directory,
    state,
    env: { WINK_STATE_DIR: state, HOME: home },
    write,
    async read() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
        .sort();
      const texts = paths.map(async (path) => [
        path,
        await readFile(join(directory, path), "utf8"),
      ]);
      return Object.fromEntries(await Promise.all(texts));
    },
  };
}
