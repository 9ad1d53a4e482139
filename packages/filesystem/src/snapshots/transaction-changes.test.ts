import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFilesystem } from "../backend/create-filesystem.js";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host.js";
import { memoryDriver } from "../memory/memory-driver.js";
import { MemoryTree } from "../memory/memory-tree.js";
import type { FilesystemSnapshot, SnapshotableFilesystem } from "./filesystem-snapshot.js";
import type { PathChange } from "./path-change.js";

const RUNS = Number(process.env["WINK_TRANSACTION_CHANGES_RUNS"] ?? 60);

interface Opened {
  readonly fs: SnapshotableFilesystem;
  close(): Promise<void>;
}

const BACKENDS: { name: string; open: () => Promise<Opened> }[] = [
  {
    name: "memory",
    open: async () => ({ fs: new InMemoryFilesystem(), close: async () => {} }),
  },
  { name: "host", open: openHost },
  {
    name: "six methods",
    async open() {
      const { stat, list, read, write, mkdir, remove } = memoryDriver(new MemoryTree(0), () => 0);
      const fs = createFilesystem({ name: "six", stat, list, read, write, mkdir, remove });
      return { fs, close: async () => {} };
    },
  },
];

async function openHost() {
  const root = mkdtempSync(join(tmpdir(), "wink-changes-"));
  const fs = await HostFilesystem.open(root, { fsync: false });
  const close = async () => {
    await fs.close();
    rmSync(root, { recursive: true, force: true });
  };
  return { fs, root, close };
}

/** For each path: the kind, the permissions, and the content of a file or the target of a link. */
type Tree = Map<string, string>;

const NEW_DIRECTORY = "directory 755 ";

/** @param coarse whether to read only the execute bit of the permissions, which is all that a store on disk has */
async function treeOf(fs: SnapshotableFilesystem, coarse: boolean, directory = "."): Promise<Tree> {
  const tree: Tree = new Map();
  for (const { path } of await fs.list(directory)) {
    const { kind, mode } = await fs.stat(path, { followLinks: false });
    const text =
      kind === "directory"
        ? ""
        : kind === "symlink"
          ? await fs.readlink(path)
          : (await fs.read(path)).content;
    const usual = kind === "directory" || (mode & 0o100) !== 0 ? 0o755 : 0o644;
    tree.set(path, describeNode(kind, coarse ? usual : mode, text));
    if (kind === "directory") for (const each of await treeOf(fs, coarse, path)) tree.set(...each);
  }
  return tree;
}

function describeNode(kind: string, mode: number, text: string): string {
  return `${kind} ${kind === "symlink" ? "" : (mode & 0o777).toString(8)} ${text}`;
}

/** Applies changes to a tree in the way that their documentation says. */
async function apply(tree: Tree, changes: readonly PathChange[]): Promise<Tree> {
  const next = new Map(tree);
  for (const { kind, path, after } of changes) {
    if (kind !== "create") expect(next.has(path), `${kind} ${path}`).toBe(true);
    if (kind === "delete" || after === undefined) {
      for (const each of [...next.keys()])
        if (each === path || each.startsWith(`${path}/`)) next.delete(each);
      continue;
    }
    const segments = path.split("/");
    for (let length = 1; length < segments.length; length++) {
      const parent = segments.slice(0, length).join("/");
      if (!next.get(parent)?.startsWith("directory")) next.set(parent, NEW_DIRECTORY);
    }
    const text = new TextDecoder().decode(await after.read());
    const usual = after.kind === "directory" || after.executable ? 0o755 : 0o644;
    next.set(path, describeNode(after.kind, after.mode ?? usual, text));
  }
  return next;
}

const path = fc.constantFrom("a", "b", "d", "d/x", "d/y", "d/e/z", "n/m/o", "d/e", "n");
const text = fc.constantFrom("", "1", "2", "three\n");
const operation = fc.oneof(
  fc.record({
    op: fc.constant("write"),
    path,
    text,
    mode: fc.constantFrom("create", "overwrite", "append"),
    executable: fc.constantFrom(undefined, undefined, true, false),
  }),
  fc.record({ op: fc.constant("stream"), path, text }),
  fc.record({ op: fc.constant("mkdir"), path }),
  fc.record({ op: fc.constant("delete"), path, recursive: fc.boolean() }),
  fc.record({
    op: fc.constantFrom("copy", "move"),
    path,
    to: path,
    overwrite: fc.boolean(),
  }),
  fc.record({ op: fc.constant("symlink"), path, text: fc.constantFrom("a", "../x", "d") }),
  fc.record({ op: fc.constant("chmod"), path, mode: fc.constantFrom(0o600, 0o755, 0o700) }),
  fc.record({ op: fc.constant("nested"), path, text, commits: fc.boolean() }),
  fc.record({ op: fc.constant("restore") }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** A refused operation changes nothing, so its error does not matter here. */
async function perform(
  fs: SnapshotableFilesystem,
  step: Operation,
  first: FilesystemSnapshot | undefined,
): Promise<void> {
  try {
    if (step.op === "write" && "executable" in step) {
      const mode = step.mode as "create" | "overwrite" | "append";
      await fs.write(step.path, step.text, { mode, executable: step.executable });
    } else if (step.op === "stream" && "text" in step) {
      await using writer = await fs.openWrite(step.path);
      await writer.write(step.text);
      await writer.close();
    } else if (step.op === "symlink" && "text" in step) await fs.symlink(step.text, step.path);
    else if (step.op === "chmod" && "mode" in step) await fs.chmod(step.path, Number(step.mode));
    else if (step.op === "mkdir" && "path" in step) await fs.mkdir(step.path);
    else if (step.op === "delete" && "recursive" in step)
      await fs.delete(step.path, { recursive: step.recursive });
    else if ("to" in step)
      await fs[step.op as "copy" | "move"](step.path, step.to, { overwrite: step.overwrite });
    else if ("commits" in step) {
      const inner = await fs.begin();
      await fs.write(step.path, step.text).catch(() => {});
      await (step.commits ? inner.commit() : inner.rollback());
    } else if (first !== undefined) await fs.restore(first);
  } catch {}
}

describe.each(BACKENDS)("the changes of a transaction on $name", ({ name, open }) => {
  const numRuns = name === "host" ? Math.ceil(RUNS / 4) : RUNS;

  it.each([false, true])(
    "turn the first state into the current one (SN-36, full: %s)",
    async (full) => {
      let seen = 0;
      const coarse = full && name === "host";
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { maxLength: 8 }),
          fc.array(operation, { minLength: 1, maxLength: 8 }),
          async (setup, steps) => {
            const { fs, close } = await open();
            for (const step of setup) await perform(fs, step, undefined);
            // An undo log cannot roll back a restore, so only a full transaction may contain one.
            const first = full ? await fs.snapshot() : undefined;
            const before = await treeOf(fs, coarse);
            const transaction = await fs.begin({ full });
            for (const step of steps) {
              await perform(fs, step, first);
              const changes = await transaction.changes();
              expect(await apply(before, changes)).toEqual(await treeOf(fs, coarse));
              seen += changes.length;
            }
            await transaction.rollback();
            expect(await treeOf(fs, coarse)).toEqual(before);
            await close();
          },
        ),
        { numRuns, seed: 20_261_118 },
      );
      expect(seen).toBeGreaterThan(numRuns);
    },
  );
});

it("the changes of a transaction on the host include links and, with full, those of other programs (SN-36)", async () => {
  const { fs, root, close } = await openHost();
  onTestFinished(close);
  await fs.write("d/a", "a");
  symlinkSync("../a", join(root, "d/link"));
  const logged = await fs.begin();
  await fs.move("d", "e");
  const moved = await logged.changes();
  expect(moved.map(({ kind, path, after }) => [kind, path, after?.kind])).toEqual([
    ["delete", "d", undefined],
    ["create", "e/a", "file"],
    ["create", "e/link", "symlink"],
  ]);
  const link = await moved[2]?.after?.read();
  expect(new TextDecoder().decode(link)).toBe("../a");
  await logged.commit();

  const full = await fs.begin({ full: true });
  writeFileSync(join(root, "e/a"), "by a shell");
  writeFileSync(join(root, "new"), "new");
  const changes = await full.changes();
  expect(changes.map(({ kind, path }) => [kind, path])).toEqual([
    ["modify", "e/a"],
    ["create", "new"],
  ]);
  await full.commit();
  await expect(full.changes()).rejects.toMatchObject({ code: "TRANSACTION_ENDED" });
});
