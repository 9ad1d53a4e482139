import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import {
  DropSnapshots,
  FilesystemSnapshotSchema,
  FilesystemSnapshots,
  TakeSnapshot,
} from "./filesystem-snapshots.js";

it("FilesystemSnapshots stores snapshots that can be restored, also from JSON (PR-38)", async () => {
  const filesystem = new InMemoryFilesystem({ files: { a: "1" } });
  const session = new Session();
  session.slice(FilesystemSnapshots).append(await filesystem.snapshot({ tag: "first" }));
  await filesystem.write("a", "2");
  session.dispatch(TakeSnapshot(await filesystem.snapshot({ name: "second" })));
  const stored = Session.fromSnapshot(JSON.stringify(session), { slices: [FilesystemSnapshots] });
  const [first, second] = stored.slice(FilesystemSnapshots).all();
  if (first === undefined || second === undefined) throw new Error("snapshots are missing");
  expect([first.tag, second.name]).toEqual(["first", "second"]);
  await filesystem.restore(first);
  expect((await filesystem.read("a")).content).toBe("1");
  session.dispatch(DropSnapshots({ snapshotIds: [first.snapshotId, "unknown"] }));
  expect(session.slice(FilesystemSnapshots).all()).toEqual([second]);
});

it("FilesystemSnapshotSchema accepts exactly the snapshots of filesystems (PR-38)", async () => {
  const snapshot = { ...(await new InMemoryFilesystem().snapshot()) };
  const check = (value: unknown) => {
    const result = FilesystemSnapshotSchema["~standard"].validate(value);
    return !(result instanceof Promise) && result.issues === undefined;
  };
  const leftOut = [{ path: "pipe", reason: "special" }];
  expect(check(snapshot)).toBe(true);
  expect(check({ ...snapshot, leftOut, damaged: "a reason", tag: "t", name: "n" })).toBe(true);
  for (const wrong of [
    null,
    {},
    { ...snapshot, snapshotId: 7 },
    { ...snapshot, commitRef: undefined },
    { ...snapshot, leftOut: [{ path: "pipe", reason: "other" }] },
    { ...snapshot, more: 1 },
  ])
    expect(check(wrong)).toBe(false);
});
