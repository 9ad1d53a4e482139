import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToolCall } from "@wink/adapters";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { FilesystemSnapshots, Prompt, PromptTemplate } from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { Session, SessionSnapshot } from "@wink/session";
import { SnapshotToolsSection, VfsToolsSection } from "@wink/tools";
import { describe, expect, it, onTestFinished } from "vitest";

const BACKENDS: Readonly<Record<string, () => Promise<SnapshotableFilesystem>>> = {
  memory: async () => new InMemoryFilesystem(),
  host: async () => {
    const root = mkdtempSync(join(tmpdir(), "wink-snapshot-calls-"));
    const filesystem = await HostFilesystem.open(root, { fsync: false });
    onTestFinished(async () => {
      await filesystem.close();
      rmSync(root, { recursive: true });
    });
    return filesystem;
  },
};

describe.each(Object.keys(BACKENDS))("on %s", (backend) => {
  async function open() {
    const session = new Session();
    const filesystem = (await BACKENDS[backend]?.()) ?? new InMemoryFilesystem();
    await filesystem.write("a.txt", "one\n");
    const files = await VfsToolsSection.create({ session, filesystem });
    const sections = [files, new SnapshotToolsSection()];
    const template = new PromptTemplate({ ns: "tests", key: "snapshots", sections });
    const rendered = new Prompt(template).bind({}).render({ session });
    let calls = 0;
    const ask = async (name: string, args: object) => {
      const call = { toolCallId: `call-${++calls}`, toolName: `snapshot_${name}`, arguments: args };
      return await runToolCall({ rendered, adapter: noAdapter, session, call });
    };
    return { session, filesystem, ask };
  }

  it("the answer for an unknown snapshot does not claim that anything was undone (TL-31)", async () => {
    const { ask } = await open();
    await ask("create", { name: "s1" });
    const { text, rolledBack } = await ask("restore", { name: "nope" });
    expect(text).toBe("Unknown snapshot 'nope'.\nSnapshots: s1.");
    expect(rolledBack).toBe(false);
  });

  it("snapshot_restore restores the files inside a tool call (TL-33)", async () => {
    const { ask, filesystem } = await open();
    await ask("create", { name: "s1" });
    await filesystem.write("a.txt", "two\n");
    expect((await ask("restore", { name: "s1" })).text).toMatch(/^restored snapshot s1 \(1 file/);
    expect((await filesystem.read("a.txt")).content).toBe("one\n");
  });

  it("snapshot_list shows a different short id for each snapshot (TL-30)", async () => {
    const { ask } = await open();
    for (const name of ["s1", "s2", "s3"]) await ask("create", { name });
    const rows = (await ask("list", {})).text.split("\n").map((row) => row.split("\t"));
    expect(rows.map(([name]) => name)).toEqual(["s3", "s2", "s1"]);
    expect(new Set(rows.map(([, id]) => id)).size).toBe(3);
  });

  it("files and session can be restored together from a session snapshot (PR-38, AD-151)", async () => {
    const { ask, session, filesystem } = await open();
    await ask("create", { name: "s1", description: "start" });
    const before = session.snapshot();
    await filesystem.write("a.txt", "two\n");
    await ask("create", { name: "s2" });
    const snapshots = SessionSnapshot.parse(JSON.stringify(before)).slice(FilesystemSnapshots);
    expect(snapshots.all()).toMatchObject([{ name: "s1", tag: "start" }]);
    const [snapshot] = snapshots.all();
    if (snapshot === undefined) throw new Error("no snapshot was recorded");
    await filesystem.restore(snapshot);
    session.restore(before);
    expect((await filesystem.read("a.txt")).content).toBe("one\n");
    expect(session.slice(FilesystemSnapshots).size).toBe(1);
  });
});
