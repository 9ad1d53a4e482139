import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import type { HostRoot } from "../containment/host-root.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { SnapshotStore } from "./snapshot-store.js";
import type { SnapshotStoreOptions } from "./store-parts.js";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Runs `cleanup` after the test, the last one first. */
export function afterwards(cleanup: () => void): void {
  cleanups.push(cleanup);
}

/** Creates a directory that is removed after the test. */
export function scratch(parent = tmpdir()): string {
  const path = mkdtempSync(join(realpathSync(parent), "wink-store-test-"));
  // Node cannot remove a tree that is deeper than the maximum path length.
  afterwards(() => execFileSync("rm", ["-rf", path]));
  return path;
}

export interface Bench {
  readonly workspace: string;
  readonly storeDirectory: string;
  readonly root: HostRoot;
  readonly store: SnapshotStore;
  put(path: string, content: string | Uint8Array): void;
  /** Opens the same store again, like another process would. */
  reopen(options?: SnapshotStoreOptions): SnapshotStore;
  /** Runs git on the store. */
  git(...args: string[]): string;
}

/** Creates an empty workspace with a store next to it. */
export function bench(options: SnapshotStoreOptions = {}, place = scratch()): Bench {
  const workspace = join(place, "workspace");
  const storeDirectory = join(place, "store");
  mkdirSync(workspace, { recursive: true });
  const open = (more: SnapshotStoreOptions = {}) => {
    const root = openHostRoot(workspace);
    const store = new SnapshotStore(root, { fsync: false, storeDirectory, ...options, ...more });
    afterwards(() => {
      store.close();
      root.close();
    });
    return { root, store };
  };
  return {
    workspace,
    storeDirectory,
    ...open(),
    put(path, content) {
      putFile(join(workspace, path), content);
    },
    reopen: (more) => open(more).store,
    git: (...args) => runGit(storeDirectory, ...args),
  };
}

export function putFile(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, content);
}

/** Runs git without any configuration or environment of the user. */
export function runGit(gitDirectory: string, ...args: string[]): string {
  return execFileSync("git", [`--git-dir=${gitDirectory}`, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: SYSTEM_PATH,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      HOME: "/nonexistent",
    },
    maxBuffer: 64 * 1024 * 1024,
  });
}

export const SYSTEM_PATH = process.env["PATH"] ?? "/usr/bin:/bin";

/** Lists everything below a directory, at any depth: kind, whether it is executable, name as bytes, content. */
export function manifest(directory: string): readonly string[] {
  const lines: string[] = [];
  const visit = (place: string | Buffer, shown: string) => {
    const fd = openSync(place, "r");
    const prefix = Buffer.from(`/proc/self/fd/${fd}/`);
    for (const name of readdirSync(prefix, { encoding: "buffer" })) {
      const path = Buffer.concat([prefix, name]);
      const line = `${shown}/${name.toString("latin1")}`;
      const stat = lstatSync(path);
      if (stat.isDirectory()) {
        lines.push(`d ${line}`);
        visit(path, line);
      } else if (stat.isSymbolicLink())
        lines.push(`l ${line} -> ${readlinkSync(path, { encoding: "buffer" }).toString("latin1")}`);
      else if (stat.isFile()) {
        const content = readFileSync(path);
        lines.push(`${stat.mode & 0o100 ? "x" : "f"} ${line} ${hash("sha1", content)}`);
      } else lines.push(`s ${line}`);
    }
    closeSync(fd);
  };
  visit(directory, "");
  return lines.sort();
}
