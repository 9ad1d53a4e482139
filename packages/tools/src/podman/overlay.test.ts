import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Overlay, removeAbandoned } from "./overlay.js";
import { processIdentity } from "./process-identity.js";
import { makeFolder } from "./sandbox.test.support.js";

const USER = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };

it("removes the workspaces of processes that are gone, and nothing else that lies beside them (SB-15)", async () => {
  const root = await makeFolder();
  const gone = `${processIdentity()}0`;
  const living = Overlay.create(root, USER);
  const dead = Overlay.create(root, USER);
  writeFileSync(join(dead.directory, "owner"), gone);
  writeFileSync(join(dead.files, "a.txt"), "a");
  mkdirSync(join(root, "project"));
  writeFileSync(join(root, "project", "owner"), gone);
  // Reading it would wait for ever.
  mkdirSync(join(root, "wink-0123456789ab"));
  execFileSync("mkfifo", [join(root, "wink-0123456789ab", "owner")]);
  expect(await removeAbandoned(root)).toEqual([dead.name]);
  expect(readdirSync(root).sort()).toEqual(["project", "wink-0123456789ab", living.name].sort());
  await living.remove();
  expect(existsSync(living.directory)).toBe(false);
  // A second time is fine.
  await living.remove();
});
