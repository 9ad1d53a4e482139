import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rootKeyOf } from "../git-store/store-layout.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import { temporaryName } from "../process/temporary-name.js";
import { manifest, putFile, scratch } from "../snapshots/store-fixture.test.support.js";

const OTHER_USER = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * A workspace in a directory that other users can write to, and the name of an undo log that a dead process could
 * have left.
 */
function setUp() {
  const place = scratch();
  const workspace = join(place, "workspace");
  const secret = join(place, "home/id_rsa");
  for (const path of [join(workspace, "own.txt"), join(workspace, ".git/HEAD"), secret])
    putFile(path, path);
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const token = temporaryName().replace(`-${process.pid}-`, `-${dead}-`);
  const planted = join(place, `.wink-undo-${rootKeyOf(workspace)}-${token}`);
  return { place, workspace, secret, planted };
}

function plant(directory: string, lines: readonly object[], files: Record<string, string> = {}) {
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(join(directory, "log"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(directory, name), content);
}

function giveAway(directory: string): void {
  for (const name of readdirSync(directory))
    chownSync(join(directory, name), OTHER_USER, OTHER_USER);
  chownSync(directory, OTHER_USER, OTHER_USER);
}

async function openAndClose(workspace: string): Promise<void> {
  const fs = await HostFilesystem.open(workspace, { fsync: false });
  await fs.close();
}

describe("an undo log of another user", () => {
  const HOOK = { type: "kept", path: ".git/hooks/post-checkout", keptAs: "1-1" };
  const CASES: readonly { what: string; lines: readonly object[] }[] = [
    { what: "that installs a git hook", lines: [HOOK] },
    { what: "that deletes a file", lines: [{ type: "created", path: "own.txt" }] },
    { what: "that renames a file", lines: [{ type: "renamed", from: "moved", to: "own.txt" }] },
  ];

  it.each(CASES)(
    "$what is ignored, and the workspace opens (SN-24, K253, TM-18)",
    async ({ lines }) => {
      if (!isRoot) return skipped();
      const { workspace, planted } = setUp();
      mkdirSync(join(workspace, ".git/hooks"));
      plant(planted, lines, { "1-1": "#!/bin/sh\n" });
      giveAway(planted);
      const before = manifest(workspace);
      await openAndClose(workspace);
      expect(manifest(workspace)).toEqual(before);
      expect(existsSync(planted)).toBe(true);
    },
  );

  it("with a FIFO in place of the log neither blocks nor fails the opening (SN-24, K253)", async () => {
    if (!isRoot) return skipped();
    const { workspace, planted } = setUp();
    mkdirSync(planted, { mode: 0o700 });
    execFileSync("mkfifo", [join(planted, "log")]);
    giveAway(planted);
    await openAndClose(workspace);
  });
});

describe("an undo log", () => {
  it.each(["../home/id_rsa", "../../home/id_rsa", "kept", "1-1/x"])(
    "never restores from %j, which is not a name that the log generates (SN-24, TM-1)",
    async (keptAs) => {
      const { workspace, secret, planted } = setUp();
      plant(planted, [{ type: "kept", path: "taken", keptAs }], { kept: "x" });
      await openAndClose(workspace);
      expect(existsSync(join(workspace, "taken"))).toBe(false);
      expect(readFileSync(secret, "utf8")).toBe(secret);
    },
  );

  it.each(["../home/id_rsa", "a/../../home/id_rsa", "/etc/passwd", ""])(
    "never deletes %j, which is not inside the workspace (SN-24, TM-1)",
    async (path) => {
      const { workspace, secret, planted } = setUp();
      const before = manifest(workspace);
      plant(planted, [{ type: "created", path }]);
      await openAndClose(workspace);
      expect(manifest(workspace)).toEqual(before);
      expect(readFileSync(secret, "utf8")).toBe(secret);
    },
  );

  it("in a directory that others can open is ignored (SN-24, K253)", async () => {
    const { workspace, planted } = setUp();
    plant(planted, [{ type: "created", path: "own.txt" }]);
    chmodSync(planted, 0o755);
    await openAndClose(workspace);
    expect(existsSync(join(workspace, "own.txt"))).toBe(true);
  });

  it("that is a link to a directory is ignored (SN-24, K253)", async () => {
    const { place, workspace, planted } = setUp();
    plant(join(place, "elsewhere"), [{ type: "created", path: "own.txt" }]);
    symlinkSync(join(place, "elsewhere"), planted);
    await openAndClose(workspace);
    expect(existsSync(join(workspace, "own.txt"))).toBe(true);
  });

  it("that is not JSON does not prevent the workspace from opening (SN-24, K253)", async () => {
    const { workspace, planted } = setUp();
    mkdirSync(planted, { mode: 0o700 });
    writeFileSync(join(planted, "log"), "not JSON\n");
    await openAndClose(workspace);
  });

  it("of this user that a dead process left is still rolled back, also in .git (SN-16, SN-24)", async () => {
    const { workspace, planted } = setUp();
    const lines = [
      { type: "created", path: "own.txt" },
      { type: "kept", path: ".git/HEAD", keptAs: "1-1" },
    ];
    plant(planted, lines, { "1-1": "as it was" });
    await openAndClose(workspace);
    expect(existsSync(join(workspace, "own.txt"))).toBe(false);
    expect(readFileSync(join(workspace, ".git/HEAD"), "utf8")).toBe("as it was");
    expect(existsSync(planted)).toBe(false);
  });
});

it("a store that other users can write to is refused if it is not empty (SN-24, K253)", async () => {
  const { place, workspace } = setUp();
  const storeDirectory = join(place, "store");
  await (await HostFilesystem.open(workspace, { storeDirectory })).close();
  chmodSync(storeDirectory, 0o777);
  await expect(HostFilesystem.open(workspace, { storeDirectory })).rejects.toMatchObject({
    code: "INVALID_STORE",
  });
});

function skipped(): void {
  console.log("skipped: an undo log of another user: only root can change the owner of a file");
}
