import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { afterwards, scratch } from "../snapshots/store-fixture.test.support.js";
import { HostFilesystem } from "./host-filesystem.js";

const UNPRIVILEGED = 65_534;
const modeOf = (...path: string[]) => lstatSync(join(...path)).mode & 0o7777;

/** A workspace of the user "nobody". The test continues as that user, because root may do everything. */
function workspaceOfNobody(): string {
  const workspace = join(scratch(), "workspace");
  for (const path of ["", "closed", "closed/inner", "private"]) mkdirSync(join(workspace, path));
  for (const path of ["secret", "run", "fixed", "root", "closed/inner/file"])
    writeFileSync(join(workspace, path), path);
  if (process.geteuid?.() !== 0) return workspace;
  for (const path of [...Object.keys(MODES), "closed/inner/file", "", ".."])
    chownSync(join(workspace, path), UNPRIVILEGED, UNPRIVILEGED);
  process.seteuid?.(UNPRIVILEGED);
  afterwards(() => process.seteuid?.(0));
  return workspace;
}

const MODES: Readonly<Record<string, number>> = {
  secret: 0o600,
  run: 0o750,
  fixed: 0o400,
  root: 0o4755,
  "closed/inner": 0o500,
  closed: 0o550,
  private: 0o700,
};

/** The owner of a directory always keeps all permissions on it. */
const OPENED = { "closed/inner": 0o700, closed: 0o750 };

it("a fork has the permissions of each file and directory, and is removed when it is closed (FS-30, SN-11)", async () => {
  const workspace = workspaceOfNobody();
  for (const [path, mode] of Object.entries(MODES)) chmodSync(join(workspace, path), mode);
  await using fs = await HostFilesystem.open(workspace, { fsync: false });
  const fork = await fs.fork();
  const found = Object.keys(MODES).map((path) => [path, modeOf(fork.root, path)]);
  expect(Object.fromEntries(found)).toEqual({ ...MODES, ...OPENED, root: 0o755 });
  expect((await fork.read("closed/inner/file")).content).toBe("closed/inner/file");
  expect(modeOf(fork.root)).toBe(0o700);
  await fork.close();
  expect(existsSync(fork.root)).toBe(false);
  expect(modeOf(workspace, "closed/inner")).toBe(0o500);
});
