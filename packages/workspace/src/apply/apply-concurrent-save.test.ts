import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { describe, expect, it } from "vitest";
import { isApplyConflictError } from "../error/apply-error.js";
import { readTree, scratchDirectory, writeTree } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import { interceptCalls } from "./failing-fs.test.support.js";
import { recoverApply } from "./recover-apply.js";

const SAVED = "what the user typed\n";
/** `WINK_SAVE_MOMENTS=all` tries every save style at every system call; otherwise the styles alternate. */
const IS_LONG = process.env["WINK_SAVE_MOMENTS"] === "all";

/** A save happens after every n-th call. The number has no factor in common with the number of styles, so each style is used. */
const STEP = IS_LONG || process.env["WINK_MORE_ROUNDS"] !== undefined ? 1 : 23;
const ROUNDS = IS_LONG ? 100 : 4;

/** The ways in which programs save a file. A style that opens the file early returns the function that writes. */
const STYLES: Readonly<Record<string, (path: string) => unknown>> = {
  "in place": (path) => fs.writeFileSync(path, SAVED),
  "in place without emptying it first": (path) => {
    const fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o644);
    fs.writeSync(fd, SAVED, 0);
    fs.ftruncateSync(fd, Buffer.byteLength(SAVED));
    fs.closeSync(fd);
  },
  "by rename": (path) => {
    fs.writeFileSync(`${path}.new`, SAVED);
    fs.renameSync(`${path}.new`, path);
  },
  "with a backup, as vim does": (path) => {
    fs.rmSync(`${path}~`, { force: true });
    const existing = fs.lstatSync(path, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw new Error("is a directory");
    if (existing !== undefined) fs.renameSync(path, `${path}~`);
    fs.writeFileSync(path, SAVED, { flag: "wx" });
    fs.rmSync(`${path}~`, { force: true });
  },
  "by deleting it first": (path) => {
    fs.rmSync(path, { force: true });
    fs.writeFileSync(path, SAVED, { flag: "wx" });
  },
  "in place, opened early and written late": (path) => {
    const fd = fs.openSync(path, "w");
    return () => {
      fs.writeSync(fd, SAVED);
      fs.closeSync(fd);
    };
  },
};

interface Change {
  readonly before: Record<string, string>;
  readonly path: string;
  edit(filesystem: Filesystem): Promise<unknown>;
}

/** Large enough that another process sees the temporary file while it is written. */
const LARGE: Change = {
  before: { "a.txt": "old\n" },
  path: "a.txt",
  edit: (filesystem) => filesystem.write("a.txt", "new\n".repeat(1 << 21)),
};

const CHANGES: Readonly<Record<string, Change>> = {
  "a file that is replaced": {
    before: { "a.txt": "old\n" },
    path: "a.txt",
    edit: (filesystem) => filesystem.write("a.txt", "new\n"),
  },
  "an empty file that is replaced": {
    before: { "a.txt": "" },
    path: "a.txt",
    edit: (filesystem) => filesystem.write("a.txt", "new\n"),
  },
  "a new file": {
    before: { "b.txt": "b" },
    path: "a.txt",
    edit: (filesystem) => filesystem.write("a.txt", "new\n"),
  },
  "a file that is deleted": {
    before: { "a.txt": "old\n", "b.txt": "b" },
    path: "a.txt",
    edit: (filesystem) => filesystem.delete("a.txt"),
  },
  "a file that becomes a directory": {
    before: { a: "old\n" },
    path: "a",
    async edit(filesystem) {
      await filesystem.delete("a");
      await filesystem.write("a/inner.txt", "new\n");
    },
  },
  "a directory that becomes a file": {
    before: { "a/inner.txt": "old\n" },
    path: "a",
    async edit(filesystem) {
      await filesystem.delete("a", { recursive: true });
      await filesystem.write("a", "new\n");
    },
  },
};

async function mounted(change: Change) {
  const place = scratchDirectory();
  const root = join(place, "host");
  fs.mkdirSync(root);
  writeTree(root, { ...change.before, "other.txt": "old other\n" });
  const filesystem = new InMemoryFilesystem();
  const options = { allowedHostRoots: [root], stateDirectory: join(place, "state") };
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
  await change.edit(filesystem);
  await filesystem.write("other.txt", "new other\n");
  return { ...options, root, changes: workspace.changes() };
}

const leftOvers = (root: string) =>
  Object.keys(readTree(root, { directories: true })).filter((path) => path.includes(".wink-"));

describe.each(["apply", "undo"] as const)("%s", (action) => {
  it.each(Object.keys(CHANGES))(
    "keeps a save of %s before any of its system calls (SN-30)",
    async (name) => {
      const change = CHANGES[name] as Change;
      const styles = Object.keys(STYLES);
      for (let at = 1; ; at += STEP) {
        const turn = [styles[at % styles.length] as string];
        let isPast = false;
        for (const style of IS_LONG ? styles : turn) {
          const { root, changes } = await mounted(change);
          const { undoToken = "" } = action === "undo" ? await changes.apply() : {};
          const path = join(root, change.path);
          let isSaved = false;
          let finishSave: unknown;
          const calls = interceptCalls(({ count }) => {
            // The program writes to its open file two calls later.
            if (count === at + 2 && typeof finishSave === "function") finishSave();
            if (count !== at) return;
            try {
              finishSave = STYLES[style]?.(path);
              isSaved = true;
            } catch {
              // The path is a directory at this moment. The program would report that to its user.
            }
          });
          const outcome = await (action === "apply"
            ? changes.apply()
            : changes.undo(undoToken)
          ).then(
            () => "done",
            (error: unknown) => error,
          );
          calls.end();
          isPast = at > calls.count - 2;
          if (isPast || !isSaved) continue;
          const found = fs.readFileSync(path, "utf8");
          expect({ at, style, found }).toEqual({ at, style, found: SAVED });
          expect({ at, style, left: leftOvers(root) }).toEqual({ at, style, left: [] });
          const other = fs.readFileSync(join(root, "other.txt"), "utf8");
          const isNew = (action === "apply") === (outcome === "done");
          expect({ at, style, other }).toEqual({
            at,
            style,
            other: `${isNew ? "new" : "old"} other\n`,
          });
          if (outcome !== "done") {
            if (!isApplyConflictError(outcome)) throw outcome;
            const paths = outcome.conflicts.map((conflict) => conflict.path.split("/")[0]);
            expect({ at, style, paths }).toMatchObject({
              paths: expect.arrayContaining([change.path]),
            });
          }
        }
        if (isPast) break;
      }
    },
  );
});

it.each(Object.keys(CHANGES))(
  "recovery keeps a save of %s from just before apply was interrupted (SN-30)",
  async (name) => {
    const change = CHANGES[name] as Change;
    const styles = Object.values(STYLES).filter((_, index) => index < 5);
    for (let at = 1; ; at += STEP) {
      const { root, stateDirectory, changes } = await mounted(change);
      const path = join(root, change.path);
      let isSaved = false;
      const calls = interceptCalls(({ count, name: syscall }) => {
        // The next zero to three calls succeed.
        if (count > at + (at % 4))
          throw Object.assign(new Error("made to fail"), { code: "EIO", syscall });
        if (count !== at) return;
        try {
          styles[at % styles.length]?.(path);
          isSaved = true;
        } catch {
          // The path is a directory at this moment.
        }
      });
      await changes.apply().catch(() => {});
      calls.end();
      if (calls.count < at) break;
      await recoverApply({ allowedHostRoots: [root], stateDirectory });
      if (isSaved)
        expect({ at, found: fs.readFileSync(path, "utf8") }).toEqual({ at, found: SAVED });
      expect({ at, left: leftOvers(root) }).toEqual({ at, left: [] });
    }
  },
);

/** Waits until a temporary file appears next to the file, saves the file and reports it. */
const SAVER = `
const fs = require("node:fs");
const [style, directory] = process.argv.slice(1);
const path = directory + "/a.txt";
process.stdout.write("ready\\n");
process.stdin.on("data", () => process.exit());
const save = {
  place: () => fs.writeFileSync(path, ${JSON.stringify(SAVED)}),
  rename: () => {
    fs.writeFileSync(directory + "/a.new", ${JSON.stringify(SAVED)});
    fs.renameSync(directory + "/a.new", path);
  },
  update: () => {
    const fd = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o644);
    fs.writeSync(fd, ${JSON.stringify(SAVED)}, 0);
    fs.ftruncateSync(fd, ${SAVED.length});
    fs.closeSync(fd);
  },
}[style];
const look = () => {
  for (let tries = 0; tries < 2000; tries++)
    if (fs.readdirSync(directory).some((name) => name.startsWith(".wink-tmp-"))) {
      save();
      process.stdout.write("saved\\n");
      return;
    }
  setImmediate(look);
};
look();
`;

it.each(["place", "rename", "update"])(
  "apply keeps what another process saves (%s) as soon as the temporary file appears (SN-30)",
  async (style) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { root, changes } = await mounted(LARGE);
      const child = spawn(process.execPath, ["-e", SAVER, style, root]);
      const texts: string[] = [];
      const output = () => texts.join("");
      const ready = new Promise<void>((resolve) => {
        child.stdout.on("data", (text) => {
          texts.push(String(text));
          resolve();
        });
      });
      const closed = new Promise((resolve) => child.once("close", resolve));
      await ready;
      const outcome = await changes.apply().then(
        () => "done",
        (error: unknown) => error,
      );
      child.stdin.end("stop");
      await closed;
      if (!output().includes("saved")) continue;
      const found = fs.readFileSync(join(root, "a.txt"), "utf8");
      expect({ round, found }).toEqual({ round, found: SAVED });
      if (outcome !== "done" && !isApplyConflictError(outcome)) throw outcome;
      expect(leftOvers(root)).toEqual([]);
    }
  },
);
