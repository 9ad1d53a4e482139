import { describe, expect, expectTypeOf, it } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import type { Filesystem } from "../protocol/filesystem.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";
import { filesystemContract } from "../testing/filesystem-contract.js";
import {
  type AroundCall,
  type FilesystemCall,
  isSnapshotable,
  wrapFilesystem,
} from "./wrap-filesystem.js";

const passOn: AroundCall = (_, run) => run();

// A wrapper adds nothing to the filesystem below it (FS-92).
filesystemContract("a wrapped filesystem", (options) =>
  wrapFilesystem(new InMemoryFilesystem(options), passOn),
);

const bytes = new Uint8Array([1]);

/** Every method, with its arguments without options, and what the hook is to see. */
const CALLS: readonly (readonly [
  FilesystemCall["operation"],
  readonly unknown[],
  FilesystemCall["kind"],
  readonly string[],
])[] = [
  ["read", ["a"], "read", ["a"]],
  ["readBytes", ["a"], "read", ["a"]],
  ["exists", ["a"], "read", ["a"]],
  ["stat", ["a"], "read", ["a"]],
  ["list", ["d"], "read", ["d"]],
  ["glob", ["*"], "read", ["."]],
  ["grep", ["x"], "read", ["."]],
  ["usage", [], "read", ["."]],
  ["transact", [() => {}], "snapshot", ["."]],
  ["write", ["b", "text"], "change", ["b"]],
  ["writeBytes", ["b", bytes], "change", ["b"]],
  ["delete", ["a"], "change", ["a"]],
  ["mkdir", ["e"], "change", ["e"]],
  ["copy", ["a", "b"], "change", ["a", "b"]],
  ["move", ["a", "b"], "change", ["a", "b"]],
  ["openRead", ["a"], "stream", ["a"]],
  ["openWrite", ["b"], "stream", ["b"]],
  ["openText", ["a"], "stream", ["a"]],
  ["snapshot", [], "snapshot", ["."]],
  ["diff", ["first", undefined], "snapshot", ["."]],
  ["snapshots", [], "snapshot", ["."]],
  ["restore", ["first"], "snapshot", ["."]],
  ["deleteSnapshot", ["first"], "snapshot", ["."]],
  ["prune", [], "snapshot", ["."]],
  ["verify", [], "snapshot", ["."]],
  ["exportSnapshot", ["first"], "snapshot", ["."]],
  ["importSnapshot", [[]], "snapshot", ["."]],
  ["fork", [], "snapshot", ["."]],
  ["begin", [], "snapshot", ["."]],
];

const setup = async (around: AroundCall = passOn) => {
  const target = new InMemoryFilesystem({ files: { a: "text\n", "d/c": "" }, mountPoint: "/w" });
  const first = await target.snapshot();
  return { target, first, wrapped: wrapFilesystem(target, around) };
};

/** Calls a method by name; the tables of this file have matching arguments. */
const callBy = async (fs: Filesystem, operation: string, args: readonly unknown[]) => {
  const method = Reflect.get(fs, operation) as (...args: readonly unknown[]) => Promise<unknown>;
  const result = await method.apply(fs, [...args]);
  if (operation === "exportSnapshot") for await (const _ of result as AsyncIterable<unknown>);
  return result;
};

describe("wrapFilesystem", () => {
  it.each(CALLS)("shows %s to the hook (FS-92)", async (operation, given, kind, paths) => {
    const seen: FilesystemCall[] = [];
    const { first, wrapped } = await setup((call, run) => {
      seen.push(call);
      return run();
    });
    const { signal } = new AbortController();
    const args = [...given.map((each) => (each === "first" ? first : each)), { signal }];
    await callBy(wrapped, operation, args).catch((error: unknown) => {
      // An empty archive is not a snapshot, so the target rejected it.
      if (operation !== "importSnapshot") throw error;
      expect(error).toMatchObject({ code: "INVALID_ARCHIVE" });
    });
    expect(seen).toEqual([{ operation, kind, paths, args, signal }]);
  });

  it.each(CALLS)("replaces the signal of %s (FS-92)", async (operation, given) => {
    const { first, wrapped } = await setup((_, run) => run(AbortSignal.abort("enough")));
    const args = given.map((each) => (each === "first" ? first : each));
    await expect(callBy(wrapped, operation, args)).rejects.toBe("enough");
  });

  it.each(CALLS)("rejects when the hook of %s throws (FS-92)", async (operation, given) => {
    const { wrapped } = await setup(() => {
      throw new Error("from the hook");
    });
    await expect(callBy(wrapped, operation, given)).rejects.toThrow("from the hook");
  });

  it("has the properties of its target, or those that replace them (FS-92)", async () => {
    const { target, wrapped } = await setup();
    const { root, limits, quotas } = target;
    expect(wrapped).toMatchObject({ root, limits, quotas, readOnly: false, mountPoint: "/w" });
    expect(wrapFilesystem(target, passOn, { readOnly: true }).readOnly).toBe(true);
  });

  it("calls a replaced method through the hook (FS-92)", async () => {
    const { target } = await setup();
    const seen: string[] = [];
    const wrapped = wrapFilesystem(
      target,
      (call, run) => {
        seen.push(call.operation);
        return run();
      },
      { exists: async (path, options) => !(await target.exists(path, options)) },
    );
    expect([await wrapped.exists("a"), await wrapped.exists("missing")]).toEqual([false, true]);
    expect(seen).toEqual(["exists", "exists"]);
  });

  it("passes options of a wrong type to the target, which refuses them (FS-92)", async () => {
    const { target } = await setup();
    const wrapped = wrapFilesystem(target, (_, run) => run(new AbortController().signal));
    for (const options of [null, 7, "x"])
      await expect(callBy(wrapped, "read", ["a", options])).rejects.toMatchObject({
        code: "EINVAL",
      });
  });

  it("has snapshots exactly if its target has them (FS-92)", async () => {
    const { target, wrapped } = await setup();
    expectTypeOf(wrapped).toEqualTypeOf<SnapshotableFilesystem>();
    expect([isSnapshotable(target), isSnapshotable(wrapped)]).toEqual([true, true]);
    const plain = wrapFilesystem(withoutSnapshots(target), passOn);
    expect([isSnapshotable(plain), "snapshot" in plain]).toEqual([false, false]);
    expect((await plain.read("a")).content).toBe("text\n");
  });
});

it("isSnapshotable is true only if every method of snapshots and transactions exists (FS-92)", async () => {
  const { target } = await setup();
  const names = CALLS.filter(([name, , kind]) => kind === "snapshot" && name !== "transact").map(
    ([name]) => name,
  );
  const all = Object.fromEntries(names.map((name) => [name, () => {}]));
  const plain = withoutSnapshots(target);
  expect(names).toHaveLength(11);
  expect(isSnapshotable({ ...plain, ...all })).toBe(true);
  for (const name of names)
    expect(isSnapshotable({ ...plain, ...all, [name]: undefined })).toBe(false);
});

function withoutSnapshots(target: InMemoryFilesystem): Filesystem {
  const { root, readOnly, mountPoint, limits, quotas } = target;
  const methods = CALLS.filter(([name, , kind]) => kind !== "snapshot" || name === "transact").map(
    ([name]) => [name, target[name].bind(target)],
  );
  return { root, readOnly, mountPoint, limits, quotas, ...Object.fromEntries(methods) };
}
