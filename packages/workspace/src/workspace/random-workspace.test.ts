import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFilesystemError, type SnapshotableFilesystem } from "@wink/filesystem";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isApplyConflictError } from "../error/apply-error.js";
import { readTree } from "../mount/tree-fixture.test.support.js";
import { Workspace } from "./workspace.js";
import { makeProject } from "./workspace.test.support.js";

const ROUNDS = Number(process.env["WINK_WORKSPACE_ROUNDS"] ?? "8");

const path = fc.constantFrom("a", "b", "d", "d/a", "d/b", "d/e", "d/e/f", "q", "q/r");
const mode = fc.constantFrom(0o600, 0o644, 0o755);
const content = fc.integer({ min: 0, max: 3 }).map((each) => `${each}\n`);
const edit = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, content }),
  fc.record({ kind: fc.constantFrom("delete" as const, "mkdir" as const), path }),
  fc.record({ kind: fc.constant("link" as const), path }),
  fc.record({ kind: fc.constant("mode" as const), path, mode }),
  fc.record({ kind: fc.constant("move" as const), path, to: path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
const step = fc.record({
  agent: fc.array(edit, { maxLength: 4 }),
  user: fc.array(edit, { maxLength: 3 }),
  call: fc.constantFrom("refresh", "apply", "applyAndUndo", "applyPath", "run", "discard"),
});

/** What a user does. Whatever is impossible is ignored, as in a shell. */
function onHost(root: string, given: Edit): void {
  const at = join(root, given.path);
  try {
    if (given.kind === "write") writeFileSync(at, given.content);
    if (given.kind === "delete") rmSync(at, { recursive: true });
    if (given.kind === "mkdir") mkdirSync(at);
    if (given.kind === "link") symlinkSync("a", at);
    if (given.kind === "mode") chmodSync(at, given.mode);
    if (given.kind === "move") renameSync(at, join(root, given.to));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

async function inWorkspace(fs: SnapshotableFilesystem, given: Edit): Promise<void> {
  try {
    if (given.kind === "write") await fs.write(given.path, given.content);
    if (given.kind === "delete") await fs.delete(given.path, { recursive: true });
    if (given.kind === "mkdir") await fs.mkdir(given.path);
    if (given.kind === "link") await fs.symlink("a", given.path);
    if (given.kind === "mode") await fs.chmod(given.path, given.mode);
    if (given.kind === "move") await fs.move(given.path, given.to);
  } catch (error) {
    if (!isFilesystemError(error)) throw error;
  }
}

const treeOf = (directory: string) => readTree(directory, { directories: true });

/** Calls `apply`. A conflict leaves the directory unchanged. */
async function applyTo(workspace: Workspace, paths?: readonly string[]): Promise<boolean> {
  const before = treeOf(workspace.directory);
  try {
    await workspace.apply({ paths });
    return true;
  } catch (error) {
    if (!isApplyConflictError(error)) throw error;
    expect(treeOf(workspace.directory)).toEqual(before);
    return false;
  }
}

async function call(workspace: Workspace, name: string, edits: readonly Edit[]): Promise<void> {
  const { directory, filesystem } = workspace;
  const [host, copy] = [treeOf(directory), treeOf(filesystem.root)];
  const [first] = (await workspace.changes()).files;
  if (name === "refresh") await workspace.refresh();
  if (name === "discard" && first) await workspace.discard({ paths: [first.path], keepAs: "old" });
  if (name === "refresh" || name === "discard") expect(treeOf(directory)).toEqual(host);
  if (name === "applyPath" && first) await applyTo(workspace, [first.path]);
  if (name === "apply" || name === "applyAndUndo") {
    const count = workspace.applied.length;
    if (!(await applyTo(workspace))) return;
    expect((await workspace.changes()).files).toEqual([]);
    if (name === "apply" || workspace.applied.length === count) return;
    await workspace.undo();
    expect(treeOf(directory)).toEqual(host);
  }
  if (name === "run") {
    await using shared = await workspace.startRun();
    await using other = await workspace.startRun();
    for (const each of edits) await inWorkspace(other.workspace.filesystem, each);
    const { kind } = await other.finish();
    if (kind !== "merged") expect(treeOf(filesystem.root)).toEqual(copy);
    await shared.finish();
  }
}

it("random edits and calls never fail, lose an edit of the user or undo inexactly (WS-2, WS-4, WS-7, WS-10)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 8 }),
      fc.array(step, { maxLength: 4 }),
      async (start, steps) => {
        const { directory, stateDirectory } = await makeProject({});
        for (const each of start) onHost(directory, each);
        await using workspace = await Workspace.open(directory, { stateDirectory });
        for (const each of steps) {
          for (const given of each.agent) await inWorkspace(workspace.filesystem, given);
          for (const given of each.user) onHost(directory, given);
          await call(workspace, each.call, each.agent);
        }
      },
    ),
    { numRuns: ROUNDS },
  );
}, 3_600_000);
