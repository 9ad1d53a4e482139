import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { cacheFolder, readManifest } from "./repository.js";
import { runCommand } from "./run-command.js";
import { makeScratchFolder } from "./scratch-folder.js";

const NAME = "@pydantic/monty";
/** `require` searches this path last, so a copy that a package declares comes first. */
const SEARCH_PATH = "NODE_PATH";

/**
 * Installs the interpreter of `PythonSection` for this platform, once, and makes it available to every
 * process started from here.
 *
 * It ships one package for each platform, and not every registry has them all. pnpm would write a
 * lockfile that lacks some of them, so npm installs it, outside the workspace. If it cannot be
 * installed, the tests that need it are skipped with a message.
 */
export async function providePythonInterpreter(): Promise<void> {
  const version = readManifest("packages/tools").peerDependencies?.[NAME] ?? "latest";
  const home = path.join(cacheFolder, "python-interpreter", version);
  if (!existsSync(home)) await install(`${NAME}@${version}`, home);
  const others = process.env[SEARCH_PATH]?.split(path.delimiter) ?? [];
  const folders = new Set([...others, path.join(home, "node_modules")]);
  process.env[SEARCH_PATH] = [...folders].join(path.delimiter);
}

async function install(what: string, home: string): Promise<void> {
  await using folder = await makeScratchFolder("interpreter");
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];
  const { ok } = await runCommand("npm", ["install", ...quiet, "--prefix", folder.path, what]);
  if (!ok) return;
  await mkdir(path.dirname(home), { recursive: true });
  // Another process may have finished its installation in the meantime; either copy works.
  await rename(folder.path, home).catch(() => {});
}
