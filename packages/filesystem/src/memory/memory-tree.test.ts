import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { FileContent } from "../content/file-content.js";
import { parentPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import { Random } from "../testing/differential/random.test.support.js";
import type { MemoryNode } from "./memory-node.js";
import { MemoryTree, type MemoryVersion } from "./memory-tree.js";

/** A naive model: every path with its content, `null` for a directory, copied completely for each version. */
type Copy = ReadonlyMap<string, string | null>;

interface Subject {
  readonly tree: MemoryTree;
  model: Map<string, string | null>;
}

const NAMES = ["a", "b", "c", "d"];

function randomPath(random: Random): VirtualPath {
  const depth = 1 + random.below(4);
  // Names without dots and slashes are already normal.
  return Array.from({ length: depth }, () => random.pick(NAMES)).join("/") as VirtualPath;
}

function contentsOf(tree: MemoryTree): Copy {
  const all = new Map<string, string | null>();
  const visit = (node: MemoryNode | undefined, path: string) => {
    if (node?.kind !== "directory") return;
    node.children.forEach((child, name) => {
      const childPath = path === "" ? name : `${path}/${name}`;
      all.set(childPath, child.kind === "file" ? (child.content.text() ?? "") : null);
      visit(child, childPath);
    });
  };
  visit(tree.find(ROOT), "");
  return all;
}

function usageOf(model: Copy) {
  const files = [...model.values()].filter((content) => content !== null);
  return {
    totalBytes: files.reduce((sum, content) => sum + content.length, 0),
    fileCount: files.length,
    directoryCount: model.size - files.length,
    nodeCount: model.size,
  };
}

const below = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** One random change to a tree and its model. */
function change({ tree, model }: Subject, random: Random, step: number): void {
  const path = randomPath(random);
  const parent = parentPath(path);
  const parentIsFolder = parent === "" || model.get(parent) === null;
  const here = model.get(path);
  switch (random.below(5)) {
    case 0:
    case 1:
      if (!parentIsFolder || here === null) return;
      tree.putFile(path, FileContent.ofText(`${step}`, `${step}`.length, "r"), 0o644, step);
      model.set(path, `${step}`);
      return;
    case 2:
      if (!parentIsFolder || here !== undefined) return;
      tree.addDirectory(path, step);
      model.set(path, null);
      return;
    case 3:
      if (here === undefined) return;
      tree.remove(path, step);
      for (const each of [...model.keys()]) if (below(each, path)) model.delete(each);
      return;
    default: {
      const from = randomPath(random);
      const node = tree.find(from);
      if (node === undefined || !parentIsFolder || here !== undefined || below(path, from)) return;
      tree.attach(path, node, step);
      for (const [each, content] of [...model])
        if (below(each, from)) model.set(path + each.slice(from.length), content);
    }
  }
}

describe("MemoryTree", () => {
  it.each([1, 2, 3, 4, 5, 6])(
    "switches between versions as if each were a full copy (FS-62, FS-78) with seed %i",
    (seed) => {
      const random = new Random(seed);
      // Two trees that share versions, like a fork.
      const subjects: readonly Subject[] = [
        { tree: new MemoryTree(0), model: new Map() },
        { tree: new MemoryTree(0), model: new Map() },
      ];
      const kept: { readonly version: MemoryVersion; readonly copy: Copy }[] = [];
      for (let step = 0; step < 6_000; step++) {
        const subject = random.pick(subjects);
        const roll = random.next();
        if (roll < 0.05) {
          kept.push({ version: subject.tree.keep(), copy: new Map(subject.model) });
        } else if (roll < 0.1 && kept.length > 0) {
          // Mostly back to a recent version, sometimes to an old one.
          const recent = random.chance(0.7) ? kept.slice(-3) : kept;
          const { version, copy } = random.pick(recent);
          subject.tree.switchTo(version);
          subject.model = new Map(copy);
        } else {
          change(subject, random, step);
        }
        // A lookup by path uses the index and fills it.
        const path = randomPath(random);
        const node = subject.tree.find(path);
        const found = node === undefined || node.kind === "directory" ? node && null : node;
        const seen = found?.kind === "file" ? found.content.text() : found;
        expect(seen).toBe(subject.model.get(path));
        expect(subject.tree.usage()).toEqual(usageOf(subject.model));
        if (step % 100 === 0) expect(contentsOf(subject.tree)).toEqual(subject.model);
      }
      expect(kept.length).toBeGreaterThan(200);
      const fresh = new MemoryTree(0);
      for (const { version, copy } of kept) {
        fresh.switchTo(version);
        expect(contentsOf(fresh)).toEqual(copy);
        expect(fresh.usage()).toEqual(usageOf(copy));
      }
    },
  );

  it("keeps a version without copying anything until it changes (FS-78, SN-13)", () => {
    const tree = new MemoryTree(0);
    const path = (name: string) => name as VirtualPath;
    tree.addDirectory(path("d"), 0);
    for (let index = 0; index < 1_000; index++)
      tree.putFile(path(`d/f${index}`), FileContent.ofText("x", 1, "r"), 0o644, 0);
    const before = tree.find(path("d"));
    const version = tree.keep();
    expect(tree.find(path("d"))).toBe(before);
    tree.putFile(path("d/f1"), FileContent.ofText("y", 1, "r"), 0o644, 0);
    expect(tree.find(path("d"))).not.toBe(before);
    expect(tree.find(path("d/f2"))).toBe(
      version.root.children.get("d")?.kind === "directory" && before?.kind === "directory"
        ? before.children.get("f2")
        : undefined,
    );
    tree.switchTo(version);
    expect(tree.find(path("d"))).toBe(before);
  });
});

it("MemoryTree releases content that only a dropped version had (SN-4, SN-13)", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const tree = new MemoryTree(0);
  const path = "file" as VirtualPath;
  const first = new WeakRef(writeAndDrop(tree, path));
  // The target of a new WeakRef stays alive until the current job ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(first.deref()).toBeUndefined();
  expect(tree.usage().totalBytes).toBe(5);
});

/** A separate function, so that none of its values stay on the stack. */
function writeAndDrop(tree: MemoryTree, path: VirtualPath): FileContent {
  const first = FileContent.ofText("first", 5, "1");
  tree.putFile(path, first, 0o644, 0);
  tree.keep();
  tree.putFile(path, FileContent.ofText("other", 5, "2"), 0o644, 0);
  return first;
}
