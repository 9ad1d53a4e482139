import { expect, it } from "vitest";
import { boundaries } from "../checks/boundaries.js";
import { checkPathCallGrants, checkPathCalls, type PathCallGrant } from "./path-call-rules.js";
import { pathCallGrants } from "./path-calls.js";
import { scanPathCalls } from "./scan-path-calls.js";

const FILE = "packages/filesystem/src/planted.ts";
const callsOf = (source: string) => scanPathCalls(FILE, source).map(({ call }) => call);

it.each([
  ['import { rmSync } from "node:fs";\nrmSync(path, { recursive: true });', "rm"],
  ['import { rm } from "node:fs/promises";\nawait rm(path);', "rm"],
  ['import { rmSync } from "fs";\nrmSync(directory.pathOf(name));', "rm"],
  ['import { chmodSync as change } from "node:fs";\nchange(path, 0o755);', "chmod"],
  ['import { chmodSync } from "node:fs";\nchmodSync(directory.pathOf(name), 0o755);', "chmod"],
  ['import fs from "node:fs";\nfs.cpSync(from, to);', "cp"],
  ['import * as fs from "node:fs";\nawait fs.promises.rename(from, to);', "rename"],
  ['import { rename } from "node:fs";\nconst move = promisify(rename);', "rename"],
  ['const { unlink } = await import("node:fs/promises");', "unlink"],
  ['import { renameSync } from "node:fs";\nrenameSync(a.pathOf(b), join(c, d));', "rename"],
])("a call by a path is found in %j (FS-83, FS-85)", (source, call) => {
  expect(callsOf(source)).toEqual([call]);
});

it.each([
  'import { unlinkSync } from "node:fs";\nunlinkSync(directory.pathOf(name));',
  'import { renameSync } from "node:fs";\nrenameSync(a.pathOf(b), c.pathOf(d));',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
  'import { chmodSync } from "node:fs";\nchmodSync(`/proc/self/fd/${fd}`, 0o700);',
  'import { fchmodSync, openSync } from "node:fs";\nfchmodSync(fd, 0o700);',
  "driver.rename(from, to); filesystem.copyFile(from, to);",
])("a call on an open directory or a descriptor is let through: %j (FS-83, FS-85)", (source) => {
  expect(callsOf(source)).toEqual([]);
});

it("a call by path is refused, and a call with a listed reason is allowed (FS-83)", () => {
  const planted = scanPathCalls(FILE, 'import { rmSync } from "node:fs";\n\nrmSync(path);\n');
  const grant: PathCallGrant = { file: FILE, call: "rm", reason: "A test." };
  expect(checkPathCalls(FILE, planted, pathCallGrants)).toEqual([
    expect.stringContaining(`${FILE}:3 calls rm of node:fs with a path.`),
  ]);
  expect(checkPathCalls(FILE, planted, [grant])).toEqual([]);
  expect(checkPathCalls(FILE, planted, [{ ...grant, file: "packages/other.ts" }])).toHaveLength(1);
});

it("a reason for a call that does not exist is refused (FS-83)", () => {
  const grant: PathCallGrant = { file: FILE, call: "rm", reason: "A test." };
  expect(checkPathCallGrants(new Map(), [grant])).toEqual([
    `scripts/boundaries/path-calls.ts grants rm to ${FILE}, which does not call it.`,
  ]);
});

it("the sources of this repository contain no call by path without a reason (FS-83, FS-85)", async () => {
  const { failures } = await boundaries.run(() => undefined);
  expect(failures.filter((failure) => failure.includes("path"))).toEqual([]);
}, 60_000);
