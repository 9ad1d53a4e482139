import { InMemoryFilesystem } from "@wink/filesystem";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { recordCommand, withoutGit } from "./record-command.js";
import { replayFiles } from "./replay-files.js";
import { VirtualFileSystem, vfsFiles } from "./virtual-file-system.js";

function record(changed: readonly { path: string; sizeBytes: number }[], removed: string[] = []) {
  const session = new Session({ slices: [VirtualFileSystem] });
  const context = createToolContext({ session, toolCallId: "call-3" });
  const command = { workspace: "sandbox", tool: "shell_execute", command: "make", exitCode: 0 };
  recordCommand({ ...command, changed, removed }, context);
  return session;
}

it("recordCommand records the changed files and the author of a command (SB-9, TL-7)", () => {
  const session = record([{ path: "a", sizeBytes: 2 }], ["b"]);
  expect(vfsFiles(session)).toEqual([
    expect.objectContaining({ workspace: "sandbox", path: "a", version: 1, sizeBytes: 2 }),
  ]);
  expect([...session.events].at(-1)).toMatchObject({
    type: "shell.run",
    payload: { command: "make", exitCode: 0, removed: ["b"], unnamed: 0, toolCallId: "call-3" },
  });
});

it("recordCommand limits the number of paths and reports how many it omitted (SB-9)", () => {
  const many = Array.from({ length: 6_000 }, (_, index) => ({ path: `f${index}`, sizeBytes: 0 }));
  const session = record(many);
  expect([...session.events].at(-1)).toMatchObject({ payload: { unnamed: 1_000 } });
  expect(vfsFiles(session)).toHaveLength(5_000);
});

it("withoutGit removes paths in .git directories (SB-9)", () => {
  const changed = ["a", ".git/HEAD", "sub/.git/x", ".github/y"].map((path) => ({
    path,
    sizeBytes: 1,
  }));
  expect(withoutGit({ changed, removed: [".git/index", "z"] })).toEqual({
    changed: [
      { path: "a", sizeBytes: 1 },
      { path: ".github/y", sizeBytes: 1 },
    ],
    removed: ["z"],
  });
});

it("replayFiles refuses a command that changed files (TL-8)", async () => {
  const replay = (session: Session) => replayFiles(session.events, new InMemoryFilesystem());
  await expect(replay(record([]))).resolves.toBeUndefined();
  await expect(replay(record([{ path: "a", sizeBytes: 2 }]))).rejects.toThrow("is a command");
});
