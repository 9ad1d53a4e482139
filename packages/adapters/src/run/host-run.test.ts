import fs, {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EndToolCall } from "@wink/prompt/adapter";
import { replayLog } from "@wink/session/jsonl";
import { describe, expect, it, onTestFinished } from "vitest";
import { isAdapterError } from "../error/adapter-error.js";
import { recover } from "../runtime/transaction/failed-rollbacks.js";
import { Run } from "./run.js";
import { call, layOut, Notes, openRun, placeIn, stateOf } from "./run-agent.test.support.js";

function makePlace() {
  const directory = mkdtempSync(join(tmpdir(), "wink-disk-run-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const place = placeIn(directory);
  layOut(place);
  return place;
}

const journalOf = ({ run }: { readonly run: string }) => join(run, "calls.jsonl");

/** Makes the first call of `name` on a matching path fail once. */
function refuseOnce(
  name: "unlinkSync" | "writeSync",
  isMeant: (first: unknown, second: unknown) => boolean,
) {
  // Members of the `fs` module can be replaced for the whole process.
  const members = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = members[name];
  if (original === undefined) throw new Error(`fs.${name} does not exist`);
  const restore = () => {
    members[name] = original;
    syncBuiltinESMExports();
  };
  members[name] = (...args) => {
    if (!isMeant(args[0], args[1])) return original(...args);
    restore();
    throw Object.assign(new Error("EIO: made to fail"), { code: "EIO" });
  };
  syncBuiltinESMExports();
  onTestFinished(restore);
}

describe("a run on disk", () => {
  it("continues with its session and snapshots when it is opened again (AD-52)", async () => {
    const place = makePlace();
    const first = await openRun(place);
    expect(await call(first, "write", 1)).toBe("succeeded");
    expect(await call(first, "opaque", 2)).toBe("succeeded");
    const snapshot = await first.filesystem.snapshot({ name: "kept" });
    const state = stateOf(first);
    await first.close();
    await using second = await openRun(place);
    expect(stateOf(second)).toEqual(state);
    expect(second.interrupted).toEqual([]);
    const names = (await second.filesystem.snapshots()).flatMap(({ name = [] }) => name);
    expect(names).toEqual(["kept"]);
    expect(await call(second, "write", 3)).toBe("succeeded");
    await second.filesystem.restore(snapshot);
    expect(stateOf(second).files).toEqual(state.files);
  });

  it("can be open in only one process at a time (AD-54, E152)", async () => {
    const place = makePlace();
    const first = await openRun(place);
    await expect(openRun(place)).rejects.toMatchObject({ code: "SESSION_LOCKED" });
    expect(await call(first, "write", 1)).toBe("succeeded");
    await first.close();
    await (await openRun(place)).close();
  });

  it("rolls back open calls when it is opened, and reports them once and in its log (AD-52, AD-53, F168)", async () => {
    const place = makePlace();
    const first = await openRun(place);
    expect(await call(first, "write", 1)).toBe("succeeded");
    const state = stateOf(first);
    const { sequence } = first.session;
    await first.close();
    // As if the process had ended during a call.
    const begun = { kind: "begin", id: "x", toolCallId: "call-2", tool: "edit", sequence };
    appendFileSync(journalOf(place), `${JSON.stringify(begun)}\n{"kind":"comm`);
    const interrupted = await openRun(place);
    expect(interrupted.interrupted).toEqual([{ toolCallId: "call-2", tool: "edit" }]);
    expect(stateOf(interrupted)).toEqual(state);
    expect(interrupted.session.events.of(EndToolCall).at(-1)?.payload).toMatchObject({
      ...{ toolCallId: "call-2", status: "aborted", success: false },
      // The event before it names the process.
      sequence: sequence + 1,
      undone: { reason: "the process ended", complete: true },
    });
    await interrupted.close();
    await using next = await openRun(place);
    expect(next.interrupted).toEqual([]);
    const ends = next.session.events.of(EndToolCall);
    expect(ends.filter(({ payload }) => payload.undone !== undefined)).toHaveLength(1);
    const replayed = await replayLog(join(next.directory, "session.jsonl"), { slices: [Notes] });
    expect(replayed.toJSON()).toEqual(next.session.toJSON());
  });

  it("leaves a call that runs when it is closed for the next process to roll back (AD-53)", async () => {
    const place = makePlace();
    const first = await openRun(place);
    const before = stateOf(first);
    const calling = call(first, "write", 1, { ...first, quiet: true });
    await first.close();
    await calling;
    await using second = await openRun(place);
    expect(stateOf(second)).toEqual(before);
  });

  it("refuses a foreign journal and changes nothing (AD-54)", async () => {
    const place = makePlace();
    await (await openRun(place)).close();
    for (const line of [
      "garbage",
      "[]",
      '{"kind":"begin","id":"x"}',
      '{"kind":"other","id":"x"}',
    ]) {
      writeFileSync(journalOf(place), `${line}\nand more`);
      const error = await openRun(place).catch((thrown: unknown) => thrown);
      expect(isAdapterError(error, "JOURNAL_INVALID"), line).toBe(true);
      expect(String(error)).not.toContain(place.run);
      expect(readFileSync(journalOf(place), "utf8")).toBe(`${line}\nand more`);
    }
    rmSync(journalOf(place));
    await (await openRun(place)).close();
  });

  it("refuses a directory inside the workspace, under any name, and creates nothing there (AD-54)", async () => {
    const { workspace } = makePlace();
    const link = join(workspace, "..", "link");
    symlinkSync(join(workspace, "folder"), link);
    for (const inside of [workspace, join(workspace, "a", "b"), join(link, "run")]) {
      const error = await Run.open(inside, { workspace }).catch((thrown: unknown) => thrown);
      expect(isAdapterError(error, "DIRECTORY_INSIDE"), inside).toBe(true);
      expect(String(error)).not.toContain(workspace);
    }
    const everything = Run.open(join(workspace, "..", "run"), { workspace: "/" });
    await expect(everything).rejects.toMatchObject({ code: "DIRECTORY_INSIDE" });
    expect(readdirSync(workspace).sort()).toEqual(["counter", "folder", "gone"]);
    expect(readdirSync(join(workspace, "folder")).sort()).toEqual(["a", "deep"]);
  });

  it("writes no journal lines for reading calls, and empties a long journal (AD-52)", async () => {
    const place = makePlace();
    const run = await openRun(place);
    writeFileSync(journalOf(place), `${'{"kind":"commit","id":"old"}\n'.repeat(10_000)}`);
    await run.close();
    await using again = await openRun(place);
    expect(await call(again, "look", 1)).toBe("succeeded");
    expect(readFileSync(journalOf(place), "utf8").length).toBeGreaterThan(200_000);
    expect(await call(again, "write", 1)).toBe("succeeded");
    expect(readFileSync(journalOf(place), "utf8")).toBe("");
  });
});

describe("a failing disk", () => {
  const isLine = (kind: string) => (_: unknown, bytes: unknown) =>
    bytes instanceof Uint8Array && Buffer.from(bytes).includes(`{"kind":"${kind}"`);

  it.each(["begin", "commit"])(
    "at the journal's %s makes the call roll back (AD-53)",
    async (kind) => {
      const place = makePlace();
      const run = await openRun(place);
      const before = stateOf(run);
      refuseOnce("writeSync", isLine(kind));
      expect(await call(run, "write", 1, { ...run, quiet: true })).toBe("failed");
      expect(stateOf(run)).toEqual(before);
      expect(await call(run, "write", 1)).toBe("succeeded");
      const after = stateOf(run);
      await run.close();
      await using next = await openRun(place);
      expect(stateOf(next)).toEqual(after);
    },
  );

  it("after a commit leaves the call committed, and later calls wait for recovery (AD-11, AD-53)", async () => {
    const place = makePlace();
    const run = await openRun(place);
    refuseOnce("unlinkSync", (path) => String(path).endsWith("/log"));
    expect(await call(run, "write", 1, { ...run, quiet: true })).toBe("succeeded");
    const after = stateOf(run);
    expect(await call(run, "write", 2)).toBe("refused");
    await recover(run.session);
    expect(stateOf(run)).toEqual(after);
    expect(await call(run, "spoil", 2)).toBe("failed");
    expect(stateOf(run)).toEqual(after);
    await run.close();
    await using next = await openRun(place);
    expect(stateOf(next)).toEqual(after);
  });
});
