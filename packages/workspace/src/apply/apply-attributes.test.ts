import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeHost } from "../mount/mount-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import { Workspace } from "../workspace/workspace.js";

type Made = ReturnType<typeof makeHost>;

const ODD = "docs/-n é😀 ";
const THEN = Date.parse("2004-05-06T07:08:09.010Z");

function plant(): Made {
  const made = makeHost({
    "private.txt": "0600",
    "bin/run.sh": "#!/bin/sh\n",
    "docs/read only.md": "0444",
    [ODD]: "odd name",
    "gone.txt": "gone",
    "old/deep/a.txt": "a directory that the workspace removes",
    "old/b.txt": "b",
  });
  const { root } = made;
  const modes = { "private.txt": 0o600, "bin/run.sh": 0o755, "docs/read only.md": 0o444 };
  for (const [path, mode] of Object.entries(modes)) chmodSync(join(root, path), mode);
  symlinkSync("docs/read only.md", join(root, "to-file"));
  symlinkSync("../bin", join(root, "docs/up"));
  symlinkSync("nowhere", join(root, "dangling"));
  mkdirSync(latin1(root, "l\xe4tin"));
  writeFileSync(latin1(root, "l\xe4tin/caf\xe9"), "Latin-1");
  let seconds = THEN / 1000;
  for (const path of [...Object.keys(modes), ODD, "gone.txt"]) {
    seconds += 86_400.001;
    utimesSync(join(root, path), seconds, seconds);
  }
  for (const path of ["to-file", "docs/up", "dangling"]) {
    seconds += 86_400.001;
    lutimesSync(join(root, path), seconds, seconds);
  }
  const directories = ["old/deep", "old", "docs", "bin", "l\xe4tin", "."];
  chmodSync(join(root, "old/deep"), 0o700);
  for (const path of directories) {
    seconds += 86_400.001;
    utimesSync(latin1(root, path), seconds, seconds);
  }
  return made;
}

/** A path whose characters are bytes. */
function latin1(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** Everything in a directory and itself: kind, mode, time and content. Each character of a path is a byte. */
function stateOf(root: string, below = "."): Record<string, readonly unknown[]> {
  const place = latin1(root, below);
  const stat = lstatSync(place);
  const [mode, time] = [stat.mode & 0o777, Math.round(stat.mtimeMs)];
  if (stat.isSymbolicLink()) return { [below]: ["link", time, readlinkSync(place)] };
  if (!stat.isDirectory()) return { [below]: [mode, time, readFileSync(place, "utf8")] };
  const inside = readdirSync(place, "latin1").sort();
  return Object.assign(
    { [below]: [mode, time] },
    ...inside.map((name) => stateOf(root, below === "." ? name : `${below}/${name}`)),
  );
}

const BACKENDS: Readonly<Record<string, (made: Made) => Promise<SnapshotableFilesystem>>> = {
  memory: async () => new InMemoryFilesystem(),
  async "a host directory"({ outside }) {
    const filesystem = await HostFilesystem.open(outside, { fsync: false });
    onTestFinished(() => filesystem.close());
    return filesystem;
  },
};

it("a persistent workspace keeps them too, and so does a refresh (SN-49, WS-4)", async () => {
  const { root, outside } = plant();
  await using workspace = await Workspace.open(root, { stateDirectory: join(outside, "state") });
  const before = stateOf(root);
  const { ".": _, ...inside } = before;
  const copy = () => stateOf(join(workspace.stateDirectory, "files"));
  expect(copy()).toMatchObject(inside);
  await workspace.filesystem.write("docs/read only.md", "changed");
  await workspace.filesystem.write("l\u{10ffe4}tin/caf\u{10ffe9}", "changed");
  await workspace.filesystem.delete("old", { recursive: true });
  await workspace.apply();
  expect(stateOf(root)).not.toEqual(before);
  await workspace.undo();
  expect(stateOf(root)).toEqual(before);

  mkdirSync(join(root, "made/by/the user"), { recursive: true });
  writeFileSync(join(root, "made/secret"), "0600", { mode: 0o600 });
  chmodSync(join(root, "made"), 0o710);
  chmodSync(join(root, "bin/run.sh"), 0o700);
  for (const path of ["made/by/the user", "made/secret", "made/by", "made", "bin/run.sh"])
    utimesSync(join(root, path), 7_000, 7_000);
  await workspace.refresh();
  for (const [path, state] of Object.entries(stateOf(root)))
    if (path.startsWith("made") || path === "bin/run.sh")
      expect([path, copy()[path]]).toEqual([path, state]);
});

describe.each(Object.entries(BACKENDS))("a directory mounted into %s", (_, open) => {
  it("keeps links, modes, times and names through mount, apply and undo (SN-49)", async () => {
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
    await filesystem.delete("old", { recursive: true });
    await filesystem.write("new/private/c.txt", "in new directories");
    await filesystem.chmod("new/private", 0o700);
    await filesystem.utimes("new/private", new Date(THEN));
    await filesystem.write("l\u{10ffe4}tin/caf\u{10ffe9}", "changed");
    await filesystem.write("l\u{10ffe4}tin/n\u{10fff6}tig", "new");
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
      "new/private": [0o700, THEN],
      "l\xe4tin/caf\xe9": [0o644, expect.any(Number), "changed"],
      "l\xe4tin/n\xf6tig": [0o644, expect.any(Number), "new"],
    });
    expect(stateOf(made.root).dangling).toBeUndefined();
    await workspace.changes().undo(report.undoToken ?? "");
    expect(stateOf(made.root)).toEqual(before);
  });

  it("undo leaves the time of a directory in which another program made a file (SN-49)", async () => {
    const made = plant();
    const filesystem = await open(made);
    const workspace = await mountHost(filesystem, [{ hostPath: "." }], made.options);
    const before = stateOf(made.root);
    await filesystem.write("docs/new.md", "new");
    await filesystem.write("bin/new.sh", "new");
    const { undoToken = "" } = await workspace.changes().apply();
    writeFileSync(join(made.root, "docs/own.md"), "of the user");
    utimesSync(join(made.root, "docs"), 5_000, 5_000);
    await workspace.changes().undo(undoToken);
    const after = stateOf(made.root);
    expect(after.bin).toEqual(before.bin);
    expect(after.docs).not.toEqual(before.docs);
    expect(after["docs/own.md"]?.[2]).toBe("of the user");
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
