import { describe, expect, it } from "vitest";
import { entryOf, type Tree, viewOf } from "../snapshots/tree-fixture.test.support.js";
import { compareTrees, treeChanges } from "./compare-trees.js";

const cases: readonly { what: string; before: Tree; after: Tree; files: readonly object[] }[] = [
  { what: "nothing for equal trees", before: { "a/b": "x" }, after: { "a/b": "x" }, files: [] },
  {
    what: "an added, a modified and a deleted file, by path",
    before: { "b.txt": "old", "c.txt": "gone" },
    after: { "a.txt": "new", "b.txt": "young" },
    files: [
      { type: "added", path: "a.txt", sizeBytesAfter: 3 },
      { type: "modified", path: "b.txt", sizeBytesBefore: 3, sizeBytesAfter: 5 },
      { type: "deleted", path: "c.txt", sizeBytesBefore: 4 },
    ],
  },
  {
    what: "a file that was moved",
    before: { "old/name.txt": "content" },
    after: { "new/name.txt": "content" },
    files: [
      {
        type: "renamed",
        path: "new/name.txt",
        oldPath: "old/name.txt",
        sizeBytesBefore: 7,
        sizeBytesAfter: 7,
      },
    ],
  },
  {
    what: "of several equal files the one that kept its name as moved",
    before: { "a/x": "same", "a/y": "same" },
    after: { "b/y": "same", "b/z": "same" },
    files: [
      { type: "renamed", path: "b/y", oldPath: "a/y", sizeBytesBefore: 4, sizeBytesAfter: 4 },
      { type: "renamed", path: "b/z", oldPath: "a/x", sizeBytesBefore: 4, sizeBytesAfter: 4 },
    ],
  },
  {
    what: "an empty file as moved only when it kept its name",
    before: { "a/__init__.py": "", "a/other": "" },
    after: { "b/__init__.py": "", "b/else": "" },
    files: [
      { type: "deleted", path: "a/other", sizeBytesBefore: 0 },
      {
        type: "renamed",
        path: "b/__init__.py",
        oldPath: "a/__init__.py",
        sizeBytesBefore: 0,
        sizeBytesAfter: 0,
      },
      { type: "added", path: "b/else", sizeBytesAfter: 0 },
    ],
  },
  {
    what: "no move for a file that replaced another",
    before: { a: "one", b: "two" },
    after: { b: "one" },
    files: [
      { type: "deleted", path: "a", sizeBytesBefore: 3 },
      { type: "modified", path: "b", sizeBytesBefore: 3, sizeBytesAfter: 3 },
    ],
  },
  {
    what: "the execute bit alone",
    before: { run: "#!/bin/sh\n" },
    after: { run: { program: "#!/bin/sh\n" } },
    files: [{ type: "mode", path: "run", sizeBytesBefore: 10, sizeBytesAfter: 10 }],
  },
  {
    what: "a file that became a link as deleted and added",
    before: { a: "text" },
    after: { a: { link: "text" } },
    files: [
      { type: "deleted", path: "a", sizeBytesBefore: 4 },
      { type: "added", path: "a", sizeBytesAfter: 4 },
    ],
  },
  {
    what: "a file that became a directory with a file in it",
    before: { a: "file" },
    after: { "a/b": "inner" },
    files: [
      { type: "deleted", path: "a", sizeBytesBefore: 4 },
      { type: "added", path: "a/b", sizeBytesAfter: 5 },
    ],
  },
  {
    what: "an added and a deleted empty directory, but no directory with files",
    before: { gone: { directory: true }, "full/x": "1" },
    after: { "come/deep": { directory: true } },
    files: [
      { type: "added", path: "come/deep", sizeBytesAfter: 0 },
      { type: "deleted", path: "full/x", sizeBytesBefore: 1 },
      { type: "deleted", path: "gone", sizeBytesBefore: 0 },
    ],
  },
  {
    what: "only the file for a directory that became empty",
    before: { "a/x": "1" },
    after: { a: { directory: true } },
    files: [{ type: "deleted", path: "a/x", sizeBytesBefore: 1 }],
  },
  {
    what: "paths in byte order",
    before: {},
    after: { "\u{1f600}": "1", "\ue000": "22", Z: "333", a: "4444" },
    files: [
      { type: "added", path: "Z", sizeBytesAfter: 3 },
      { type: "added", path: "a", sizeBytesAfter: 4 },
      { type: "added", path: "\ue000", sizeBytesAfter: 2 },
      { type: "added", path: "\u{1f600}", sizeBytesAfter: 1 },
    ],
  },
];

describe.each([
  { views: "of one backend", sameBackend: true, backend: "one" },
  { views: "of two backends", sameBackend: false, backend: "two" },
])("comparing views $views", ({ sameBackend, backend }) => {
  it.each(cases)("reports $what", async ({ before, after, files }) => {
    const set = await compareTrees(viewOf(before), viewOf(after, backend), { sameBackend });
    expect(set.files).toEqual(files);
    expect(set.isEmpty).toBe(files.length === 0);
  });
});

it("compareTrees asks a backend only for the entries that may differ", async () => {
  const before = {
    entries: () => {
      throw new Error("read all entries");
    },
    entriesUnlike: () => ({ mine: [entryOf("a", "1")], theirs: [entryOf("a", "2")] }),
  };
  const after = viewOf({ a: "2" });
  expect((await compareTrees(before, after)).files).toEqual([
    { type: "modified", path: "a", sizeBytesBefore: 1, sizeBytesAfter: 1 },
  ]);
});

it("the entries of a change set are both sides of each change", async () => {
  const before = viewOf({ a: "1" });
  const after = viewOf({ a: "2" });
  const set = await compareTrees(before, after);
  expect(set.entries()).toEqual(await treeChanges(before, after));
  expect(JSON.parse(JSON.stringify(set))).toEqual({ files: set.files, isEmpty: false });
});
