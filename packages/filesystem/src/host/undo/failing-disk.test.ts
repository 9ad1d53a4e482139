import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { interceptFs, systemError } from "../driver/intercepted-fs.test.support.js";
import { rootKeyOf } from "../git-store/store-layout.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import { temporaryName } from "../process/temporary-name.js";
import { manifest, putFile, scratch } from "../snapshots/store-fixture.test.support.js";

const CALLS = ["openSync", "lstatSync", "fstatSync", "readdirSync", "renameSync"] as const;

function makeWorkspace() {
  const place = scratch();
  const workspace = join(place, "workspace");
  mkdirSync(join(workspace, "empty"), { recursive: true });
  putFile(join(workspace, "folder/file"), "content");
  return { place, workspace };
}

/** Makes the call with this number fail once, counted from 1. Returns whether there was a call with this number. */
async function failingAt(number: number, work: () => Promise<unknown>): Promise<boolean> {
  let count = 0;
  const restore = interceptFs(CALLS, () => {
    if (++count === number) throw systemError("EIO", "/the/host");
  });
  await work().catch(() => {});
  restore();
  return count >= number;
}

it.each(["folder/file", "empty"])(
  "a rollback brings back %s whichever call of its deletion failed (SN-12, TM-15)",
  async (path) => {
    const { workspace } = makeWorkspace();
    const before = manifest(workspace);
    const fs = await HostFilesystem.open(workspace, { fsync: false });
    for (let number = 1, isHit = true; isHit; number++) {
      const transaction = await fs.begin();
      isHit = await failingAt(number, () => fs.delete(path));
      await transaction.rollback();
      expect(manifest(workspace), `call ${number} failed`).toEqual(before);
    }
    await fs.close();
  },
);

/** What a process that was killed in a transaction leaves: it had replaced `folder/file` and deleted `gone`. */
function leaveLog(place: string, workspace: string): string {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const token = temporaryName().replace(`-${process.pid}-`, `-${dead}-`);
  const directory = join(place, `.wink-undo-${rootKeyOf(workspace)}-${token}`);
  mkdirSync(directory, { mode: 0o700 });
  const lines = [
    { type: "kept", path: "folder/file", keptAs: `${dead}-0` },
    { type: "kept", path: "gone", keptAs: `${dead}-1` },
  ];
  writeFileSync(join(directory, "log"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(join(directory, `${dead}-0`), "old content");
  writeFileSync(join(directory, `${dead}-1`), "deleted");
  return directory;
}

it.each(["EIO", "EACCES", "EMFILE"])(
  "a recovery whose log cannot be opened (%s) fails, keeps what is saved, and works later (SN-16, TM-15)",
  async (code) => {
    const { place, workspace } = makeWorkspace();
    const directory = leaveLog(place, workspace);
    const log = join(directory, "log");
    const saved = readdirSync(directory);
    const restore = interceptFs(["openSync"], (_, [path]) => {
      if (path === log) throw systemError(code, log);
    });
    const error: unknown = await HostFilesystem.open(workspace, { fsync: false }).catch((e) => e);
    restore();
    expect(error).toMatchObject({
      name: "FilesystemError",
      code: code === "EACCES" ? code : "EIO",
    });
    expect(String(error)).not.toContain(place);
    expect(readdirSync(directory)).toEqual(saved);

    const fs = await HostFilesystem.open(workspace, { fsync: false });
    await fs.close();
    expect(readFileSync(join(workspace, "folder/file"), "utf8")).toBe("old content");
    expect(readFileSync(join(workspace, "gone"), "utf8")).toBe("deleted");
    expect(existsSync(directory)).toBe(false);
  },
);

it("a rollback after a change that could not be logged brings back a renamed directory (SN-16, TM-15)", async () => {
  const { workspace } = makeWorkspace();
  const before = manifest(workspace);
  const fs = await HostFilesystem.open(workspace, { fsync: true });
  await fs.begin();
  await fs.move("folder", "renamed");
  // The log gets a record of a change that never happened, and cannot be repaired while the disk fails.
  const restore = interceptFs(["fsyncSync", "ftruncateSync"], () => {
    throw systemError("EIO", "/the/host");
  });
  await expect(fs.mkdir("folder")).rejects.toMatchObject({ code: "EIO" });
  restore();
  await fs.close();
  await (await HostFilesystem.open(workspace)).close();
  expect(manifest(workspace)).toEqual(before);
});
