import { describe, expect, it } from "vitest";
import * as api from "../index.js";
import { mapDriver } from "./map-driver.test.support.js";

/** Wrong values by what a parameter is, and the code that refuses them. */
const WRONG = {
  path: { values: [null, 7, Number.NaN, true, [], {}, () => {}], code: "EINVAL" },
  text: { values: [undefined, null, 7, true, [], {}, new Uint8Array()], code: "EINVAL" },
  bytes: { values: [undefined, null, 7, true, [], {}, "text"], code: "EINVAL" },
  linkTarget: { values: [undefined, null, 7, true, [], {}, "", "a\0b"], code: "EINVAL" },
  mode: { values: [undefined, null, "7", true, [], {}, -1, 0o1000, 0.5], code: "EINVAL" },
  time: {
    values: [undefined, null, 7, true, [], {}, "soon", new Date(Number.NaN)],
    code: "EINVAL",
  },
  pattern: { values: [undefined, null, 7, true, [], {}], code: "EINVAL" },
  options: {
    values: [null, 7, "x", true, [], () => {}, { sgnal: 1 }, { signal: 7 }],
    code: "EINVAL",
  },
  body: { values: [undefined, null, 7, "x", {}], code: "EINVAL" },
  snapshot: { values: [null, 7, "x", true, [], {}, { snapshotId: 7 }], code: "UNKNOWN_SNAPSHOT" },
  archive: { values: [undefined, null, 7, "x", {}, [], [7]], code: "INVALID_ARCHIVE" },
} as const;

type Kind = keyof typeof WRONG;

const METHODS: Readonly<Record<api.FilesystemCall["operation"], readonly Kind[]>> = {
  read: ["path", "options"],
  readBytes: ["path", "options"],
  exists: ["path", "options"],
  stat: ["path", "options"],
  readlink: ["path", "options"],
  realpath: ["path", "options"],
  contentId: ["path", "options"],
  list: ["path", "options"],
  glob: ["pattern", "options"],
  grep: ["pattern", "options"],
  write: ["path", "text", "options"],
  writeBytes: ["path", "bytes", "options"],
  delete: ["path", "options"],
  mkdir: ["path", "options"],
  copy: ["path", "path", "options"],
  move: ["path", "path", "options"],
  symlink: ["linkTarget", "path", "options"],
  chmod: ["path", "mode", "options"],
  utimes: ["path", "time", "options"],
  openRead: ["path", "options"],
  openWrite: ["path", "options"],
  openText: ["path", "options"],
  usage: ["options"],
  snapshot: ["options"],
  restore: ["snapshot", "options"],
  diff: ["snapshot", "snapshot", "options"],
  snapshots: ["options"],
  deleteSnapshot: ["snapshot", "options"],
  prune: ["options"],
  verify: ["options"],
  exportSnapshot: ["snapshot", "options"],
  importSnapshot: ["archive", "options"],
  fork: ["options"],
  begin: ["options"],
  transact: ["body", "options"],
};

const READS =
  /^(read|realpath|contentId|exists|stat|list|g|usage|openRead|openText|diff|snapshots|verify|export|fork)/;

const files = { a: "text", "d/c": "" };
const BACKENDS: Readonly<Record<string, () => api.SnapshotableFilesystem>> = {
  InMemoryFilesystem: () => new api.InMemoryFilesystem({ files }),
  createFilesystem: () => api.createFilesystem(mapDriver()),
  wrapFilesystem: () =>
    api.wrapFilesystem(new api.InMemoryFilesystem({ files }), (_, run) => run()),
  overlay: () => api.overlay(new api.InMemoryFilesystem({ files })),
  readOnlyView: () => api.readOnlyView(new api.InMemoryFilesystem({ files })),
};

/** The code of the error that a call fails with, and the error itself if it has none of ours. */
async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    const result = await call();
    if (typeof result === "object" && result !== null && Symbol.asyncIterator in result)
      for await (const _ of result as AsyncIterable<unknown>);
    return "no error";
  } catch (error) {
    return error instanceof api.CodedError ? error.code : error;
  }
}

const CASES = Object.keys(BACKENDS).flatMap((backend) =>
  Object.entries(METHODS).map(([name, kinds]) => [backend, name, kinds] as const),
);

it.each(CASES)("%s refuses wrong arguments of %s (FS-93)", async (backend, name, kinds) => {
  const filesystem = BACKENDS[backend]?.();
  const isView = filesystem?.readOnly && !READS.test(name);
  for (const [index, kind] of kinds.entries()) {
    const { values, code } = WRONG[kind];
    // A view refuses changes before it checks more than their paths.
    const expected = isView && kind !== "path" ? "EROFS" : code;
    for (const value of values) {
      // Arguments before the wrong one are correct, as far as the check of the wrong one needs that.
      const before = kinds
        .slice(0, index)
        .map((each) => ({ bytes: new Uint8Array(), body: () => {} })[each as "bytes"] ?? "a");
      const method = Reflect.get(filesystem ?? {}, name) as (...args: unknown[]) => unknown;
      const refusal = await refusalOf(() => method.call(filesystem, ...before, value));
      expect([value, refusal]).toEqual([value, expected]);
    }
  }
});

/** Every exported function and class, with calls that must be refused with `EINVAL`. */
const FUNCTIONS: Readonly<Record<string, readonly (() => unknown)[]>> = callsOf({
  createFilesystem: [
    [],
    [null],
    [{}],
    [{ ...mapDriver(), read: 7 }],
    [mapDriver(), 7],
    [mapDriver(), { limit: {} }],
  ],
  InMemoryFilesystem: [
    [null],
    [7],
    [{ file: {} }],
    [{ files: 7 }],
    [{ files: { a: 7 } }],
    [{ clock: 7 }],
    [{ limits: 7 }],
    [{ limits: { maxReadByte: 1 } }],
    [{ limits: { maxReadBytes: "1" } }],
    [{ quotas: { maxFiles: 1 } }],
    [{ mountPoint: 7 }],
  ],
  wrapFilesystem: [
    [],
    [null, () => {}],
    [new api.InMemoryFilesystem()],
    [new api.InMemoryFilesystem(), 7],
  ],
  readOnlyView: [[], [null], [7]],
  overlay: [
    [],
    [null],
    [{}],
    [new api.InMemoryFilesystem(), null],
    [new api.InMemoryFilesystem(), { limit: {} }],
    [new api.InMemoryFilesystem(), { clock: 7 }],
  ],
  mergeFile: [[], [{}], [{ base: undefined }, null], [{ ours: { bytes: 7 } }, { combine: true }]],
  diffText: [[], ["a"], ["a", 7], ["a", "b", null]],
  globMatcher: [[], ["*"], [[7], { operation: "x", maxPatternCharacters: 1 }], [["*"], null]],
});

/** Functions that accept any value, and classes of errors. */
const ACCEPTING = [
  "isSnapshotable",
  "isFilesystemError",
  "isSnapshotError",
  "CodedError",
  "FilesystemError",
  "SnapshotError",
  "DriverFilesystem",
  // `scripts/exports` passes wrong arguments to `open`.
  "StoredFilesystem",
  "FileContent",
];

describe("the entry point", () => {
  it("has a row in this test for each function and class (FS-93)", () => {
    const names = Object.entries(api).flatMap(([name, value]) =>
      typeof value === "function" ? name : [],
    );
    expect(names.sort()).toEqual([...Object.keys(FUNCTIONS), ...ACCEPTING].sort());
  });

  it.each(Object.entries(FUNCTIONS))("%s refuses wrong arguments (FS-93)", async (_, calls) => {
    for (const call of calls)
      expect([String(call), await refusalOf(call)]).toEqual([String(call), "EINVAL"]);
  });

  it.each(Object.entries(api.paths).filter(([, value]) => typeof value === "function"))(
    "paths.%s refuses wrong arguments (FS-93)",
    async (_, call) => {
      for (const value of [undefined, null, 7, {}, Symbol("a"), () => {}]) {
        const refusal = await refusalOf(() => Reflect.apply(call as () => unknown, null, [value]));
        expect([typeof value, refusal]).toEqual([typeof value, "EINVAL"]);
      }
    },
  );

  it.each([undefined, null, 7, {}])("contents of %j are refused (FS-93)", (value) => {
    expect(() => api.FileContent.ofBytes(value as never, "r")).toThrow("pass the bytes");
    expect(() => api.FileContent.ofText(value as never, 1, "r")).toThrow("pass the text");
  });

  it.each([undefined, null, 7, "x"])(
    "errors can be created with %j as options (FS-93)",
    (value) => {
      const error = new api.FilesystemError("EIO", value as never);
      expect(error.message).toMatch(/^EIO: call '\.': /);
      expect(
        new api.FilesystemError("ENOSUCH" as never, { operation: "read", path: "a" }).message,
      ).toBe("ENOSUCH: read 'a': it failed.");
      expect(new api.SnapshotError("UNKNOWN_SNAPSHOT", value as never).code).toBe(
        "UNKNOWN_SNAPSHOT",
      );
      expect(new api.SnapshotError("ENOSUCH" as never).message).toBe("snapshot: it failed.");
    },
  );

  it.each([undefined, null, 7, "x", [], {}])("isSnapshotable is false for %j (FS-93)", (value) => {
    // Callers of JavaScript may pass anything.
    expect(api.isSnapshotable(value as unknown as api.Filesystem)).toBe(false);
  });
});

function callsOf(rows: Readonly<Record<string, readonly (readonly unknown[])[]>>) {
  return Object.fromEntries(
    Object.entries(rows).map(([name, calls]) => [
      name,
      calls.map((args) => async () => {
        const value: unknown = Reflect.get(api, name);
        if (name === "InMemoryFilesystem")
          return Reflect.construct(value as typeof api.InMemoryFilesystem, args);
        return await Reflect.apply(value as () => unknown, undefined, args);
      }),
    ]),
  );
}
