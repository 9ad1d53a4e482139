import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InMemoryFilesystem } from "@wink/filesystem";
import { describe, expect, it } from "vitest";
import {
  readTree,
  scratchDirectory,
  type Tree,
  writeTree,
} from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import { editWorkspace } from "./apply-crash.test.program.js";
import { troubleAt } from "./failing-fs.test.support.js";
import { bundleProgram, runProgram } from "./killed-program.test.support.js";
import { recoverApply } from "./recover-apply.js";

const TREE: Tree = {
  "edited.txt": "old\n".repeat(2_000),
  "run.sh": { program: "echo old\n" },
  "gone/a.txt": "a",
  "gone/deep/b.txt": "b",
  "old-name.txt": "moved",
  swap: "a file",
  "folder/x": "x",
  "kept/y": "y",
};

const HAS_MORE_ROUNDS = process.env["WINK_MORE_ROUNDS"] !== undefined;

/** At how many calls the process is killed; `WINK_CRASH_POINTS=all` means every call. */
const POINTS = process.env["WINK_CRASH_POINTS"] ?? (HAS_MORE_ROUNDS ? "16" : "3");

/** Every n-th call fails. */
const STEP = HAS_MORE_ROUNDS || POINTS === "all" ? (POINTS === "all" ? 1 : 3) : 19;

interface Place {
  readonly root: string;
  readonly stateDirectory: string;
}

function makePlace(): Place {
  const place = scratchDirectory();
  const root = join(place, "host");
  mkdirSync(root);
  writeTree(root, TREE);
  return { root, stateDirectory: join(place, "state") };
}

const stateOf = ({ root }: Place) =>
  Object.fromEntries(
    Object.entries(readTree(root, { directories: true })).map(([path, text]) => [
      path,
      text.length < 200 ? text : createHash("sha1").update(text).digest("hex"),
    ]),
  );

async function start({ root, stateDirectory }: Place) {
  const filesystem = new InMemoryFilesystem();
  const options = { allowedHostRoots: [root], stateDirectory };
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
  await editWorkspace(filesystem);
  return workspace.changes();
}

/** The state of the host before and after the changes. */
async function bothStates(): Promise<{ readonly old: object; readonly new: object }> {
  const place = makePlace();
  const old = stateOf(place);
  await (await start(place)).apply();
  return { old, new: stateOf(place) };
}

function recover({ root, stateDirectory }: Place) {
  return recoverApply({ allowedHostRoots: [root], stateDirectory });
}

/** Checks that no unfinished journal and no temporary file is left. */
function expectNoPending({ stateDirectory }: Place): void {
  if (!existsSync(stateDirectory)) return;
  const names = Object.keys(readTree(stateDirectory, { directories: true }));
  expect(names.filter((name) => /\.(?:pending|staging|undoing)(?:$|\/)/.test(name))).toEqual([]);
}

describe.each(["apply", "undo"] as const)("%s", (action) => {
  const prepare = async (place: Place) => {
    const changes = await start(place);
    if (action === "apply") return () => changes.apply();
    const { undoToken = "" } = await changes.apply();
    return () => changes.undo(undoToken);
  };

  it("is complete or has no effect when any single call fails", async () => {
    const states = await bothStates();
    const [from, to] = action === "apply" ? [states.old, states.new] : [states.new, states.old];
    for (let at = 1; ; at += STEP) {
      const place = makePlace();
      const run = await prepare(place);
      const trouble = troubleAt(at, "once");
      const outcome = await run().then(
        () => "done",
        (error) => error,
      );
      trouble.end();
      const found = stateOf(place);
      const recovered = await recover(place);
      const isOld = JSON.stringify(stateOf(place)) === JSON.stringify(from);
      expect({ at, state: stateOf(place) }).toEqual({ at, state: isOld ? from : to });
      if (outcome === "done") expect({ at, state: found }).toEqual({ at, state: to });
      else {
        expect(outcome).toMatchObject({ name: "FilesystemError" });
        expect(outcome.message).not.toContain(place.root);
        // A half-finished apply is the exception and leaves a journal.
        if (recovered.length === 0) expect({ at, isOld }).toEqual({ at, isOld: true });
      }
      expectNoPending(place);
      if (at > trouble.count) break;
    }
  });

  it("is complete or has no effect when every call fails from some call on", async () => {
    const states = await bothStates();
    for (let at = 1; ; at += STEP) {
      const place = makePlace();
      const run = await prepare(place);
      const trouble = troubleAt(at, "from-then-on");
      await run().catch(() => {});
      trouble.end();
      await recover(place);
      const found = stateOf(place);
      const isOld = JSON.stringify(found) === JSON.stringify(states.old);
      expect({ at, found }).toEqual({ at, found: isOld ? states.old : states.new });
      expectNoPending(place);
      if (at > trouble.count) break;
    }
  });

  it("is complete or has no effect when the process is killed (SN-22)", async () => {
    const entry = fileURLToPath(new URL("apply-crash.test.program.ts", import.meta.url));
    const program = await bundleProgram(entry, "apply-crash");
    const runAt = ({ root, stateDirectory }: Place, at: number) =>
      runProgram([program, root, stateDirectory, action, String(at)]);
    const states = await bothStates();
    const count = Number((await runAt(makePlace(), 0)).output);
    expect(count).toBeGreaterThan(50);
    const step = POINTS === "all" ? 1 : Math.max(1, Math.floor(count / Number(POINTS)));
    const points = Array.from({ length: Math.floor(count / step) }, (_, index) => 1 + index * step);
    const outcomes = { old: 0, new: 0 };
    const work = async () => {
      for (let at = points.pop(); at !== undefined; at = points.pop()) {
        const place = makePlace();
        const { signal } = await runAt(place, at);
        expect({ at, signal }).toEqual({ at, signal: "SIGKILL" });
        await recover(place);
        const found = stateOf(place);
        const isOld = JSON.stringify(found) === JSON.stringify(states.old);
        expect({ at, found }).toEqual({ at, found: isOld ? states.old : states.new });
        expectNoPending(place);
        outcomes[isOld ? "old" : "new"]++;
      }
    };
    await Promise.all([work(), work()]);
    // Both states must occur, otherwise nothing was interrupted.
    expect(Math.min(outcomes.old, outcomes.new)).toBeGreaterThan(0);
  });
});

describe("recovery", () => {
  it("keeps a file that another process changed, restores the others and reports it", async () => {
    const states = await bothStates();
    // Late enough that some files are already new.
    for (let at = 1; ; at++) {
      const place = makePlace();
      const changes = await start(place);
      const trouble = troubleAt(at, "from-then-on");
      await changes.apply().catch(() => {});
      trouble.end();
      if (at > trouble.count) throw new Error("never interrupted in the middle");
      const now = JSON.stringify(stateOf(place));
      const isMixed = now !== JSON.stringify(states.old) && now !== JSON.stringify(states.new);
      if (!isMixed) continue;
      writeTree(place.root, { "run.sh": "theirs" });
      const [recovered] = await recover(place);
      expect(recovered).toMatchObject({ outcome: "undone", leftAlone: ["run.sh"] });
      expect(stateOf(place)).toEqual({ ...states.old, "run.sh": `file ${btoa("theirs")}` });
      return;
    }
  });

  it("runs in the next mount, which copies complete files and reports the recovery", async () => {
    const states = await bothStates();
    for (let at = 1; ; at += 5) {
      const place = makePlace();
      const changes = await start(place);
      const trouble = troubleAt(at, "from-then-on");
      await changes.apply().catch(() => {});
      trouble.end();
      if (at > trouble.count) throw new Error("never interrupted in the middle");
      if (JSON.stringify(stateOf(place)) === JSON.stringify(states.old)) continue;
      const options = { allowedHostRoots: [place.root], stateDirectory: place.stateDirectory };
      const { report } = await mountHost(new InMemoryFilesystem(), [{ hostPath: "." }], options);
      expect(report.recovered).toMatchObject([{ outcome: "finished", leftAlone: [] }]);
      expect(stateOf(place)).toEqual(states.new);
      return;
    }
  });

  it("does not touch directories that are not allowed", async () => {
    const place = makePlace();
    const changes = await start(place);
    const trouble = troubleAt(120, "from-then-on");
    await changes.apply().catch(() => {});
    trouble.end();
    const before = stateOf(place);
    const other = { root: scratchDirectory(), stateDirectory: place.stateDirectory };
    expect(await recover(other)).toEqual([]);
    expect(stateOf(place)).toEqual(before);
  });
});
