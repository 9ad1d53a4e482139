import {
  chmodSync,
  lstatSync,
  lutimesSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeHost } from "../mount/mount-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";

type Made = ReturnType<typeof makeHost>;

const THEN = Date.parse("2004-05-06T07:08:09.010Z");

function plant(): Made {
  const made = makeHost({
    "private.txt": "0600",
    "bin/run.sh": "#!/bin/sh\n",
    "docs/read only.md": "0444",
    "docs/-n é😀 ": "odd name",
    "gone.txt": "gone",
  });
  const { root } = made;
  const modes = { "private.txt": 0o600, "bin/run.sh": 0o755, "docs/read only.md": 0o444 };
  for (const [path, mode] of Object.entries(modes)) chmodSync(join(root, path), mode);
  symlinkSync("docs/read only.md", join(root, "to-file"));
  symlinkSync("../bin", join(root, "docs/up"));
  symlinkSync("nowhere", join(root, "dangling"));
  let seconds = THEN / 1000;
  for (const path of [...Object.keys(modes), "docs/-n é😀 ", "gone.txt"]) {
    seconds += 86_400.001;
    utimesSync(join(root, path), seconds, seconds);
  }
  for (const path of ["to-file", "docs/up", "dangling"]) {
    seconds += 86_400.001;
    lutimesSync(join(root, path), seconds, seconds);
  }
  return made;
}

/** Every file and link of a directory: its kind, mode, time and content. */
function stateOf(root: string, below = ""): Record<string, readonly unknown[]> {
  const found: Record<string, readonly unknown[]> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = join(below, name);
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) Object.assign(found, stateOf(root, path));
    else if (stat.isSymbolicLink())
      found[path] = ["link", Math.round(stat.mtimeMs), readlinkSync(join(root, path))];
    else
      found[path] = [
        stat.mode & 0o777,
        Math.round(stat.mtimeMs),
        readFileSync(join(root, path), "utf8"),
      ];
  }
  return found;
}

const BACKENDS: Readonly<Record<string, (made: Made) => Promise<SnapshotableFilesystem>>> = {
  memory: async () => new InMemoryFilesystem(),
  async "a host directory"({ outside }) {
    const filesystem = await HostFilesystem.open(outside, { fsync: false });
    onTestFinished(() => filesystem.close());
    return filesystem;
  },
};

describe.each(Object.entries(BACKENDS))("a directory mounted into %s", (_, open) => {
  it("keeps links, modes and times through mount, apply and undo (SN-49)", async () => {
    const made = plant();
    const filesystem = await open(made);
    const workspace = await mountHost(filesystem, [{ hostPath: "." }], made.options);
    const before = stateOf(made.root);
    expect((await workspace.changes().files()).length).toBe(0);
    expect((await filesystem.stat("private.txt")).mode).toBe(0o600);
    expect((await filesystem.stat("docs/read only.md")).modifiedAt).toBe(
      new Date(before["docs/read only.md"]?.[1] as number).toISOString(),
    );

    await filesystem.chmod("private.txt", 0o400);
    await filesystem.write("bin/run.sh", "#!/bin/bash\n");
    await filesystem.utimes("bin/run.sh", new Date(THEN));
    await filesystem.delete("to-file");
    await filesystem.symlink("bin/run.sh", "to-file");
    await filesystem.delete("gone.txt");
    await filesystem.symlink("docs", "gone.txt");
    await filesystem.delete("dangling");
    await filesystem.write("new.txt", "secret");
    await filesystem.chmod("new.txt", 0o600);
    await filesystem.symlink("/etc/passwd", "away");

    const partial = workspace.changes();
    await expect(partial.apply()).rejects.toMatchObject({
      conflicts: [{ path: "away", reason: "link" }],
    });
    expect(stateOf(made.root)).toEqual(before);
    await filesystem.delete("away");
    const report = await workspace.changes().apply();
    expect(stateOf(made.root)).toMatchObject({
      "private.txt": [0o400, before["private.txt"]?.[1], "0600"],
      "bin/run.sh": [0o755, THEN, "#!/bin/bash\n"],
      "to-file": ["link", expect.any(Number), "bin/run.sh"],
      "gone.txt": ["link", expect.any(Number), "docs"],
      "new.txt": [0o600, expect.any(Number), "secret"],
      "docs/up": before["docs/up"],
    });
    expect(stateOf(made.root).dangling).toBeUndefined();
    await workspace.changes().undo(report.undoToken ?? "");
    expect(stateOf(made.root)).toEqual(before);
  });

  it("refuses to replace a link that the user changed (SN-49)", async () => {
    const made = plant();
    const filesystem = await open(made);
    const workspace = await mountHost(filesystem, [{ hostPath: "." }], made.options);
    await filesystem.delete("dangling");
    await filesystem.symlink("elsewhere", "dangling");
    await filesystem.delete("docs/up");
    await filesystem.write("docs/up", "a file");
    rmSync(join(made.root, "dangling"));
    symlinkSync("changed by the user", join(made.root, "dangling"));
    await expect(workspace.changes().apply()).rejects.toMatchObject({
      conflicts: [{ path: "dangling", reason: "link" }],
    });
    expect(readlinkSync(join(made.root, "dangling"))).toBe("changed by the user");
    expect(readlinkSync(join(made.root, "docs/up"))).toBe("../bin");
    rmSync(join(made.root, "dangling"));
    symlinkSync("nowhere", join(made.root, "dangling"));
    await workspace.changes().apply();
    expect(readlinkSync(join(made.root, "dangling"))).toBe("elsewhere");
    expect(readFileSync(join(made.root, "docs/up"), "utf8")).toBe("a file");
  });
});
