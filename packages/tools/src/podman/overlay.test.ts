import { execFileSync } from "node:child_process";
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { processIdentity } from "@wink/filesystem/host";
import { expect, it, vi } from "vitest";
import { Overlay, removeAbandonedWorkspaces } from "./overlay.js";
import { makeFolder } from "./sandbox.test.support.js";

const USER = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };

it("removeAbandonedWorkspaces removes the workspaces of dead processes and nothing else (SB-15)", async () => {
  const root = await makeFolder();
  const gone = `${processIdentity()}0`;
  const living = Overlay.create(root, USER);
  const dead = Overlay.create(root, USER);
  writeFileSync(join(dead.directory, "owner"), gone);
  writeFileSync(join(dead.files, "a.txt"), "a");
  mkdirSync(join(root, "project"));
  writeFileSync(join(root, "project", "owner"), gone);
  // Reading it would block forever.
  mkdirSync(join(root, "wink-0123456789ab"));
  execFileSync("mkfifo", [join(root, "wink-0123456789ab", "owner")]);
  expect(await removeAbandonedWorkspaces(root)).toEqual([dead.name]);
  expect(readdirSync(root).sort()).toEqual(["project", "wink-0123456789ab", living.name].sort());
  await living.remove();
  expect(existsSync(living.directory)).toBe(false);
  // A second call is harmless.
  await living.remove();
});

it.each([
  { what: "of another user", plant: (path: string) => mkdirSync(path, 0o777) },
  { what: "that others can enter", plant: (path: string) => mkdirSync(path, 0o755) },
  { what: "that is a link", plant: (path: string) => symlinkSync(".", path) },
  { what: "that is a file", plant: (path: string) => writeFileSync(path, "") },
])(
  "A default directory $what is skipped and does not block a new workspace (SB-20, K253)",
  async ({ plant }) => {
    const folder = await makeFolder();
    vi.stubEnv("TMPDIR", folder);
    const planted = join(folder, `wink-sandboxes-${USER.uid}`);
    plant(planted);
    if (USER.uid === 0) lchownSync(planted, 65_531, 65_531);
    const overlay = Overlay.create(undefined, USER);
    const root = dirname(overlay.directory);
    expect(basename(root)).toMatch(/^wink-sandboxes-\d+-[0-9a-f]{12}$/);
    expect(statSync(root)).toMatchObject({ uid: USER.uid, mode: 0o40700 });
    // The next workspace uses the same directory, and abandoned workspaces in it are found.
    const next = Overlay.create(undefined, USER);
    expect(dirname(next.directory)).toBe(root);
    writeFileSync(join(next.directory, "owner"), `${processIdentity()}0`);
    expect(await removeAbandonedWorkspaces(undefined)).toEqual([next.name]);
    await overlay.remove();
    expect(readdirSync(root)).toEqual([]);
    vi.unstubAllEnvs();
  },
);
