import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Filesystem, InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { defineTool, fail, ok, type Tool, type ToolAccess, type ToolContext } from "@wink/prompt";
import { ChangeFile, EndToolCall, StartToolCall } from "@wink/prompt/adapter";
import { defineEvent, type Session } from "@wink/session";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { agent } from "./agent.test.support.js";
import { keepContents } from "./keep-contents.js";
import { runToolCall } from "./run-tool-call.js";

type Work = (files: SnapshotableFilesystem, context: ToolContext) => Promise<unknown>;

function tool(name: string, work: Work, access: ToolAccess = "write"): Tool {
  return defineTool({
    name,
    description: "Works on files.",
    input: z.object({}),
    access,
    async handler(_, context) {
      // Every filesystem of these tests has snapshots.
      const result = await work(context.filesystem as SnapshotableFilesystem, context);
      return result === "fail" ? fail("As planned.") : ok(undefined, "Done.");
    },
  }) as unknown as Tool;
}

async function openHost(): Promise<{ files: HostFilesystem; root: string }> {
  const root = mkdtempSync(join(tmpdir(), "wink-recorded-"));
  const files = await HostFilesystem.open(root, { fsync: false });
  onTestFinished(async () => {
    await files.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { files, root };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const changesOf = (session: Session) =>
  session.events.of(ChangeFile).map(({ payload: { kind, path, node } }) => [kind, path, node]);

const WAYS: readonly { way: string; work: Work; expected: readonly unknown[][] }[] = [
  {
    way: "write",
    work: (files) => files.write("a.txt", "1"),
    expected: [["modify", "a.txt", "file"]],
  },
  {
    way: "write in new directories",
    work: (files) => files.write("x/y/z.txt", "1"),
    expected: [["create", "x/y/z.txt", "file"]],
  },
  {
    way: "writeBytes",
    work: (files) => files.writeBytes("b.bin", Uint8Array.of(255)),
    expected: [["create", "b.bin", "file"]],
  },
  {
    way: "append",
    work: (files) => files.write("a.txt", "more", { mode: "append" }),
    expected: [["modify", "a.txt", "file"]],
  },
  {
    way: "a stream",
    async work(files) {
      await using writer = await files.openWrite("s.txt");
      await writer.write("streamed");
      await writer.close();
    },
    expected: [["create", "s.txt", "file"]],
  },
  {
    way: "the execute bit",
    work: (files) => files.write("a.txt", "old", { executable: true }),
    expected: [["modify", "a.txt", "file"]],
  },
  {
    way: "copy",
    work: (files) => files.copy("d", "e"),
    expected: [["create", "e/b.txt", "file"]],
  },
  {
    way: "move",
    work: (files) => files.move("d", "e"),
    expected: [
      ["delete", "d", undefined],
      ["create", "e/b.txt", "file"],
    ],
  },
  {
    way: "delete recursive",
    work: (files) => files.delete("d", { recursive: true }),
    expected: [["delete", "d", undefined]],
  },
  {
    way: "mkdir",
    work: (files) => files.mkdir("m/n"),
    expected: [["create", "m/n", "directory"]],
  },
  {
    way: "a file that is created and deleted",
    async work(files) {
      await files.write("t/u.txt", "1");
      await files.delete("t/u.txt");
    },
    expected: [["create", "t", "directory"]],
  },
  {
    way: "snapshot and restore",
    async work(files) {
      const before = await files.snapshot();
      await files.delete("d", { recursive: true });
      await files.write("a.txt", "1");
      const changed = await files.snapshot();
      await files.restore(before);
      await files.restore(changed);
    },
    expected: [
      ["delete", "d", undefined],
      ["modify", "a.txt", "file"],
    ],
  },
  {
    way: "a transaction that is rolled back, and one that is committed",
    async work(files) {
      const lost = await files.begin();
      await files.write("lost.txt", "1");
      await lost.rollback();
      await using kept = await files.begin();
      await files.write("kept.txt", "1");
      await kept.commit();
    },
    expected: [["create", "kept.txt", "file"]],
  },
];

describe.each(["memory", "host"])("a user's tool on %s", (backend) => {
  const open = async (): Promise<Filesystem> => {
    const files = backend === "host" ? (await openHost()).files : new InMemoryFilesystem();
    await files.write("a.txt", "old");
    await files.write("d/b.txt", "b");
    return files;
  };

  it.each(WAYS)(
    "leaves a files.change for each path that it changed by $way (AD-90, I-B1)",
    async ({ work, expected }) => {
      const { call, session } = agent({ files: await open(), tools: [tool("own", work)] });
      expect(await call("own")).toMatchObject({ status: "succeeded" });
      expect(changesOf(session)).toEqual(expected);
      const types = session.events.toArray().map(({ type }) => type);
      expect(types.at(0)).toBe("run.start-tool-call");
      expect(types.at(-1)).toBe("run.end-tool-call");
      expect(session.events.of(EndToolCall)[0]?.payload.changes).toBe(expected.length);
    },
  );

  it("leaves none if it fails, and none if it changes nothing (AD-90)", async () => {
    const tools = [
      tool("bad", async (files) => {
        await files.write("a.txt", "1");
        return "fail";
      }),
      tool("idle", (files) => files.read("a.txt")),
    ];
    const { call, session } = agent({ files: await open(), tools });
    expect((await call("bad")).status).toBe("failed");
    expect((await call("idle")).status).toBe("succeeded");
    expect(changesOf(session)).toEqual([]);
  });
});

it("files.change has the workspace, author, revision, mode and SHA-256 of a file, and its content is stored before the commit (AD-90)", async () => {
  const { call, session, files } = agent({
    tools: [tool("own", (own) => own.write("run.sh", "echo\n", { executable: true }))],
  });
  const contents = new Map<string, Uint8Array>();
  keepContents(session, contents);
  await call("own");
  const [event] = session.events.of(ChangeFile);
  expect(event?.payload).toEqual({
    workspace: "files",
    writer: "tests/agent",
    tool: "own",
    toolCallId: "call-1",
    path: "run.sh",
    kind: "create",
    node: "file",
    sizeBytes: 5,
    mode: 0o755,
    revision: (await files.stat("run.sh")).revision,
    contentId: sha256("echo\n"),
  });
  expect(new TextDecoder().decode(contents.get(sha256("echo\n")))).toBe("echo\n");

  keepContents(session, {
    set() {
      throw new Error("the disk is full");
    },
  });
  await files.delete("run.sh");
  expect(await call("own")).toMatchObject({ status: "failed", rolledBack: true });
  expect(await files.exists("run.sh")).toBe(false);
});

it("an opaque call leaves a files.change for what another program changed, links included (AD-90)", async () => {
  const { files, root } = await openHost();
  await files.write("a.txt", "old");
  const shell = tool(
    "shell",
    async () => {
      writeFileSync(join(root, "a.txt"), "by a shell");
      symlinkSync("a.txt", join(root, "link"));
    },
    "opaque",
  );
  const { call, session } = agent({ files, tools: [shell] });
  expect((await call("shell")).status).toBe("succeeded");
  expect(changesOf(session)).toEqual([
    ["modify", "a.txt", "file"],
    ["create", "link", "symlink"],
  ]);
  expect(session.events.of(ChangeFile)[1]?.payload).toMatchObject({
    link: "a.txt",
    contentId: sha256("a.txt"),
  });
});

const Wrote = defineEvent(
  "files.write",
  z.object({ path: z.string(), content: z.string(), mode: z.string(), revision: z.string() }),
);

describe("a change that an event of the call describes", () => {
  const write: Work = async (files, { session }) => {
    const { revision } = await files.write("a.txt", "1");
    session.dispatch(Wrote({ path: "a.txt", content: "1", mode: "overwrite", revision }));
  };

  it("gets no files.change (AD-90)", async () => {
    const { call, session } = agent({ tools: [tool("own", write)] });
    await call("own");
    expect(changesOf(session)).toEqual([]);
    expect(session.events.of(EndToolCall)[0]?.payload.changes).toBe(1);
  });

  it.each<[string, Work, readonly unknown[][]]>([
    ["changed again", (files) => files.write("a.txt", "2"), [["modify", "a.txt", "file"]]],
    ["changed back", (files) => files.write("a.txt", "old"), [["modify", "a.txt", "file"]]],
    ["deleted", (files) => files.delete("a.txt"), [["delete", "a.txt", undefined]]],
  ])("gets one if the file is then %s (AD-90)", async (_, then, expected) => {
    const both: Work = async (files, context) => {
      await write(files, context);
      await then(files, context);
    };
    const { call, session } = agent({ tools: [tool("own", both)] });
    await call("own");
    expect(changesOf(session)).toEqual(expected);
  });
});

it("a nested call records its own changes, and the outer call only the others (AD-90)", async () => {
  const inner = tool("inner", (files) => files.write("inner.txt", "1"));
  const outer = tool("outer", async (_, context) => {
    const { renderedPrompt: rendered, session, adapter } = context;
    if (rendered === undefined) throw new Error("there is a prompt");
    const call = { toolCallId: "nested", toolName: "inner", arguments: {} };
    await runToolCall({ rendered, session, adapter, call });
  });
  const { call, session } = agent({ tools: [inner, outer] });
  await call("outer");
  expect(session.events.of(ChangeFile).map(({ payload }) => payload)).toMatchObject([
    { toolCallId: "nested", path: "inner.txt" },
  ]);
});

it("every event of a call has the call's id and turn, and so do its start and end (AD-91, I-B9)", async () => {
  const { call, session } = agent({
    tools: [tool("own", (files) => files.write("a.txt", "1"))],
  });
  await call("own", {}, { run: 2, turn: 7 });
  const events = session.events.toArray();
  expect(events).toHaveLength(3);
  for (const { meta } of events) expect(meta).toEqual({ toolCallId: "call-1", turn: 7 });
  expect(session.events.of(StartToolCall)[0]?.payload).toMatchObject({ run: 2, turn: 7 });
  expect(session.events.of(EndToolCall)[0]?.payload).toMatchObject({ run: 2, turn: 7 });
});

it("durationMs has only the time of the handler, and queuedMs the time before it (AD-91, I-B7)", async () => {
  let nowMs = 1_000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const takes = (name: string, ms: number) =>
    tool(name, async (files) => {
      await files.write("a.txt", name);
      nowMs += ms;
    });
  const { call, session } = agent({ tools: [takes("slow", 500), takes("quick", 3)] });
  await Promise.all([call("slow"), call("quick")]);
  const ends = session.events.of(EndToolCall).map(({ payload }) => payload);
  expect(ends).toMatchObject([
    { tool: "slow", durationMs: 500, queuedMs: 0 },
    { tool: "quick", durationMs: 3, queuedMs: 500 },
  ]);
});
