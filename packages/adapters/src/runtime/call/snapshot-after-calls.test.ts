import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { EndToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { describe, expect, it, onTestFinished } from "vitest";
import { agent, change, done, failed, Note, tool } from "./agent.test.support.js";
import { lastSnapshotId, snapshotAfterCalls } from "./snapshot-after-calls.js";

async function onHost(): Promise<HostFilesystem> {
  const directory = mkdtempSync(join(tmpdir(), "wink-states-"));
  const workspace = mkdtempSync(join(directory, "workspace-"));
  writeFileSync(join(workspace, "a.txt"), "old");
  const files = await HostFilesystem.open(workspace, {
    ...{ storeDirectory: join(directory, "store"), fsync: false },
  });
  onTestFinished(async () => {
    await files.close();
    rmSync(directory, { recursive: true });
  });
  return files;
}

const BACKENDS: readonly {
  readonly name: string;
  readonly open: () => SnapshotableFilesystem | Promise<SnapshotableFilesystem>;
}[] = [
  { name: "memory", open: () => new InMemoryFilesystem({ files: { "a.txt": "old" } }) },
  { name: "the host", open: onHost },
];

const TOOLS = [
  tool("first", change("first")),
  tool("second", change("second")),
  tool("opaque", change("opaque"), { access: "opaque" }),
  tool("fails", change("never", failed)),
  tool("reads", ({ filesystem }) => filesystem.read("a.txt").then(done), { access: "read" }),
  tool("notes", ({ session }) => {
    session.dispatch(Note({ text: "noted" }));
    return done();
  }),
];

const idsOf = (session: Session) =>
  session.events.of(EndToolCall).map(({ payload }) => payload.snapshot);

describe.each(BACKENDS)("snapshots of snapshotAfterCalls in $name", ({ open }) => {
  it("are named in the events of calls that changed files, and can restore each state (AD-55, AD-9)", async () => {
    const files = await open();
    const { call, session, errors } = agent({ tools: TOOLS, files });
    snapshotAfterCalls(files);
    const wanted = ["first", "fails", "reads", "second", "notes", "opaque"];
    for (const name of wanted) await call(name);
    expect(errors).toEqual([]);
    const ids = idsOf(session);
    expect(ids.map((id) => id !== undefined)).toEqual([true, false, false, true, false, true]);
    const snapshots = await files.snapshots();
    expect(snapshots.map(({ tag }) => tag)).toEqual([
      ...[
        "after call call-6 of opaque",
        "after call call-4 of second",
        "after call call-1 of first",
      ],
    ]);
    const contents: string[] = [];
    for (const { sequence } of session.events.of(EndToolCall)) {
      const before = session.events.filter((event) => event.sequence <= sequence);
      const snapshot = snapshots.find(({ snapshotId }) => snapshotId === lastSnapshotId(before));
      if (snapshot !== undefined) await files.restore(snapshot);
      contents.push((await files.read("a.txt")).content);
    }
    expect(contents).toEqual(["first", "first", "first", "second", "second", "opaque"]);
  });

  it("are deleted oldest first when there are too many, and other snapshots are not (AD-55)", async () => {
    const files = await open();
    const mine = await files.snapshot({ tag: "mine" });
    const first = agent({ tools: TOOLS, files });
    const end = snapshotAfterCalls(files, { maxCount: 2 });
    for (let count = 0; count < 15; count++) await first.call("first");
    end();
    await first.call("first");
    expect(idsOf(first.session).at(-1)).toBe(undefined);
    // Like a later process, which finds the snapshots of an earlier one.
    const second = agent({ tools: TOOLS, files });
    snapshotAfterCalls(files, { maxCount: 2 });
    for (let count = 0; count < 8; count++) await second.call("second");
    const ids = (await files.snapshots()).map(({ snapshotId }) => snapshotId);
    expect(ids).toEqual([...idsOf(second.session).slice(-2).reverse(), mine.snapshotId]);
  });
});

it("a failed snapshot is missing, and its call stays committed (AD-55)", async () => {
  const files = new InMemoryFilesystem({ files: { "a.txt": "old" } });
  const { call, session, errors, content } = agent({ tools: TOOLS, files });
  snapshotAfterCalls(files);
  files.snapshot = async () => Promise.reject(new Error("no space"));
  expect((await call("first")).status).toBe("succeeded");
  expect(idsOf(session)).toEqual([undefined]);
  expect([await content(), String(errors[0])]).toEqual(["first", "Error: no space"]);
  expect(() => snapshotAfterCalls(files, { maxCount: 0 })).toThrow(
    "maxCount: it must be a whole number of at least 1.",
  );
});

it("a nested call takes no snapshot, because it may still be rolled back; the outer call takes one (AD-55)", async () => {
  const files = new InMemoryFilesystem({ files: { "a.txt": "old" } });
  const outer = tool("outer", async ({ session, filesystem }) => {
    const inside = agent({ tools: TOOLS, files: filesystem, session });
    await inside.call("first");
    return done();
  });
  const { call, session } = agent({ tools: [outer], files });
  snapshotAfterCalls(files);
  expect((await call("outer")).status).toBe("succeeded");
  const snapshots = session.events
    .of(EndToolCall)
    .map(({ payload }) => [payload.tool, payload.snapshot !== undefined]);
  expect(snapshots).toEqual([
    ["first", false],
    ["outer", true],
  ]);
});
