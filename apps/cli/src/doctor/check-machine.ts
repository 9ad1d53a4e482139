import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { promisify } from "node:util";
import type { Io } from "../terminal/io.js";
import { count, size } from "../view/amounts.js";
import type { Check } from "./check.js";

const OLDEST_NODE = [20, 19] as const;
/** `rev-parse --end-of-options` and `ls-tree` with `--full-tree` and sizes. */
const OLDEST_GIT = [2, 25] as const;
const FEWEST_OPEN_FILES = 1_024;

export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough =
    major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (isNewEnough && major > OLDEST_NODE[0])
    return { name: "node", status: "ok", message: `Node ${version}.` };
  if (isNewEnough)
    return {
      name: "node",
      status: "warning",
      message: `Node ${version} works, but Node ${major} no longer receives fixes.`,
      action: "Install Node 22 or newer.",
    };
  return {
    name: "node",
    status: "failed",
    message: `Node ${version} is too old.`,
    action: `Install Node ${OLDEST_NODE.join(".")} or newer.`,
  };
}

export async function checkGit({ env }: Pick<Io, "env">): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)("git", ["--version"], { env });
    const [major = 0, minor = 0] = (/\d+\.\d+/.exec(stdout)?.[0] ?? "").split(".").map(Number);
    if (major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]))
      return { name: "git", status: "ok", message: `${stdout.trim()}.` };
    return {
      name: "git",
      status: "warning",
      message: `${stdout.trim()} is too old for commits, revisions and snapshots in a repository.`,
      action: `Install git ${OLDEST_GIT.join(".")} or newer.`,
    };
  } catch {
    return {
      name: "git",
      status: "warning",
      message: "git is not installed. wink itself does not need it.",
      action: "Install git to commit to branches, to mount revisions and for git apply.",
    };
  }
}

/** Checks the limits of this process: files, processors, memory. */
export function checkLimits(): Check {
  const openFiles = maxOpenFiles();
  // A container may allow less memory than the machine has.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const found = [
    ...(openFiles === undefined ? [] : [count(openFiles, "open file")]),
    count(availableParallelism(), "processor"),
    `${size(memory)} of memory`,
  ];
  const message = `${found.join(", ")}.`;
  if (openFiles === undefined || openFiles >= FEWEST_OPEN_FILES)
    return { name: "limits", status: "ok", message };
  const action = `Allow more open files: ulimit -n ${FEWEST_OPEN_FILES}.`;
  return { name: "limits", status: "warning", message, action };
}

function maxOpenFiles(): number | undefined {
  try {
    const [, soft] =
      /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
