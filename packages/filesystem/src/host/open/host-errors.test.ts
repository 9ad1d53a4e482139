import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import { isSnapshotError } from "../../snapshots/snapshot-error.js";
import { makePlaces, QUICK_PLACE } from "../driver/host-fixture.test.setup.js";
import { interceptFs, systemError } from "../driver/intercepted-fs.test.support.js";
import { HostFilesystem } from "./host-filesystem.js";

const CALLS = [
  ...(["openSync", "closeSync", "readSync", "writeSync", "writeFileSync", "readFileSync"] as const),
  ...(["readdirSync", "mkdirSync", "rmdirSync", "unlinkSync", "renameSync", "linkSync"] as const),
  ...(["symlinkSync", "readlinkSync", "copyFileSync", "ftruncateSync", "fsyncSync"] as const),
  ...(["lstatSync", "fstatSync", "statSync", "fchmodSync", "chmodSync"] as const),
];

/** Prepares a filesystem and returns the call during which system calls fail. */
type Prepare = (filesystem: HostFilesystem) => Promise<() => Promise<unknown>>;

const OPERATIONS: Readonly<Record<string, Prepare>> = {
  fork: async (filesystem) => async () => await (await filesystem.fork()).close(),
  close: async (filesystem) => {
    await filesystem.begin();
    await filesystem.write("tree/file", "new");
    await filesystem.openWrite("stream").then((writer) => writer.write("x"));
    return () => filesystem.close();
  },
  prune: async (filesystem) => {
    await filesystem.snapshot();
    await filesystem.write("tree/file", "new");
    await filesystem.snapshot();
    return () => filesystem.prune({ maxCount: 1 });
  },
  "openWrite and close": async (filesystem) => {
    const writer = await filesystem.openWrite("stream");
    await writer.write("x");
    return () => writer.close();
  },
  "openWrite and abort": async (filesystem) => {
    const writer = await filesystem.openWrite("stream");
    await writer.write("x");
    return () => writer.abort();
  },
  "openRead and close": async (filesystem) => {
    const reader = await filesystem.openRead("tree/file");
    return () => reader.close();
  },
  "begin and commit": async (filesystem) => async () => {
    const transaction = await filesystem.begin();
    await filesystem.delete("tree", { recursive: true });
    await transaction.commit();
  },
  "begin and rollback": async (filesystem) => async () => {
    const transaction = await filesystem.begin({ full: true });
    await filesystem.write("tree/file", "new");
    await transaction.rollback();
  },
  "snapshots and verify": async (filesystem) => {
    await filesystem.snapshot();
    return async () => await Promise.all([filesystem.snapshots(), filesystem.verify()]);
  },
};

type Trouble = "once" | "for good";

/** Only every call with a multiple of this number fails. */
const STEP = process.env["WINK_MORE_ROUNDS"] === undefined ? 3 : 1;

/**
 * Runs an operation in a new workspace. The system call with number `failing` fails, or that one and all later
 * ones.
 */
async function runFailing(
  prepare: Prepare,
  failing: number,
  trouble: Trouble,
): Promise<{ readonly place: string; readonly isOver: boolean; readonly error: unknown }> {
  const { root } = makePlaces(QUICK_PLACE);
  mkdirSync(join(root, "tree"));
  writeFileSync(join(root, "tree/file"), "old");
  symlinkSync("file", join(root, "tree/link"));
  const filesystem = await HostFilesystem.open(root, {
    fsync: false,
    storeDirectory: `${root}-store`,
  });
  const run = await prepare(filesystem);
  let calls = 0;
  const end = interceptFs(CALLS, (_, [path]) => {
    calls++;
    if (calls === failing || (trouble === "for good" && calls > failing))
      throw systemError("EIO", `${root}/${String(path)}`);
  });
  const error = await run().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  end();
  await filesystem.close().catch(() => {});
  return { place: root, isOver: calls < failing, error };
}

const CASES = Object.entries(OPERATIONS).flatMap(([name, prepare]) =>
  (["once", "for good"] as const).map((trouble) => ({ name, prepare, trouble })),
);

it.each(CASES)(
  "$name rejects with an error of WINK and without a host path if a system call fails $trouble (FS-87, FS-65, FS-66, TM-5)",
  async ({ prepare, trouble }) => {
    const foreign: string[] = [];
    let failing = 1;
    for (let isOver = false; !isOver && failing < 2_000; failing += STEP) {
      const { place, error, isOver: over } = await runFailing(prepare, failing, trouble);
      isOver = over;
      if (error === undefined) continue;
      const isOurs = isFilesystemError(error) || isSnapshotError(error);
      if (!isOurs || String(error).includes(place)) foreign.push(`${failing}: ${String(error)}`);
    }
    expect(foreign).toEqual([]);
    expect(failing).toBeGreaterThan(1);
  },
  120_000,
);

it("a fork succeeds at whichever moment a file and a directory turn into links and back (FS-87, SN-11, TM-5)", async () => {
  const rejected: string[] = [];
  let moments = 0;
  for (let isOver = false; !isOver && moments < 500; moments++) {
    const { root, outside } = makePlaces(QUICK_PLACE);
    mkdirSync(join(root, "tree"));
    writeFileSync(join(root, "tree/file"), "old");
    const filesystem = await HostFilesystem.open(root, { fsync: false });
    let calls = 0;
    const end = interceptFs(CALLS, () => {
      if (++calls === moments + 1) swap(root, outside, "tree/file");
      if (calls === moments + 3) swap(root, outside, "tree", "aside-tree");
    });
    const fork = await filesystem.fork().catch((error: unknown) => {
      rejected.push(`${moments}: ${String(error)}`);
    });
    end();
    isOver = calls < moments;
    await fork?.close();
    await filesystem.close();
  }
  expect(rejected).toEqual([]);
  expect(moments).toBeGreaterThan(5);
}, 120_000);

/** Replaces the node at `path` with a link. */
function swap(root: string, outside: string, path: string, aside = "aside"): void {
  renameSync(join(root, path), join(root, aside));
  symlinkSync(outside, join(root, path));
}
