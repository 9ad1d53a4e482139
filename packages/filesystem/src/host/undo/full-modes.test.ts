import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { HostFilesystem } from "../open/host-filesystem.js";

async function open() {
  const place = mkdtempSync(join(tmpdir(), "wink-full-"));
  const root = join(place, "files");
  mkdirSync(join(root, "d"), { recursive: true });
  for (const path of ["a.txt", "d/b.txt"]) writeFileSync(join(root, path), `${path}\n`);
  const filesystem = await HostFilesystem.open(root, { storeDirectory: join(place, "store") });
  onTestFinished(async () => {
    await filesystem.close();
    rmSync(place, { recursive: true });
  });
  const state = () =>
    ["a.txt", "d", "d/b.txt"].map((path) => {
      const { mode, mtimeMs } = lstatSync(join(root, path));
      return [path, (mode & 0o777).toString(8), Math.round(mtimeMs)];
    });
  return { root, filesystem, state };
}

it.each([0o600, 0o640, 0o444, 0o777, 0o755])(
  "a full transaction sees and rolls back a program's change of a mode to %o (SN-48)",
  async (mode) => {
    const { root, filesystem, state } = await open();
    const before = state();
    const transaction = await filesystem.begin({ full: true });
    chmodSync(join(root, "a.txt"), mode);
    chmodSync(join(root, "d"), mode | 0o700);
    const changes = await transaction.changes();
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toContain("modify a.txt");
    await transaction.rollback();
    expect(state()).toEqual(before);
  },
);

it("a full transaction rolls back chmod and utimes of the filesystem, and restores directory times (SN-48)", async () => {
  const { root, filesystem, state } = await open();
  utimesSync(join(root, "d"), 1_000, 1_000);
  const before = state();
  const transaction = await filesystem.begin({ full: true });
  await filesystem.chmod("a.txt", 0o600);
  await filesystem.chmod("d", 0o700);
  await filesystem.write("d/new.txt", "new\n");
  utimesSync(join(root, "d/b.txt"), 2_000, 2_000);
  await transaction.rollback();
  expect(state()).toEqual(before);
});
