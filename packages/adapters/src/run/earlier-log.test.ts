import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ReadLedger, ToolCalls } from "@wink/prompt/adapter";
import { expect, it, onTestFinished } from "vitest";
import { call, Notes, openRun, placeIn, stateOf } from "./run-agent.test.support.js";

/** Written by commit 44ebf7e: three calls, the last one rolled back. */
const LOG = fileURLToPath(new URL("./earlier-log.test.jsonl", import.meta.url));

it("a run whose log has the events of an earlier version is continued (AD-9, AD-52)", async () => {
  const directory = mkdtempSync(join(tmpdir(), "wink-earlier-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const place = placeIn(directory);
  for (const each of [place.workspace, place.run]) mkdirSync(each);
  writeFileSync(join(place.workspace, "counter"), "0");
  copyFileSync(LOG, join(place.run, "session.jsonl"));
  await using run = await openRun(place);
  // The process and the state of the files are new events.
  const added = run.session.events.map(({ type }) => type).slice(16);
  expect(added).toEqual(["run.take-over", "run.keep-state"]);
  expect(run.session.slice(Notes).all()).toEqual([{ text: "written" }]);
  // State that was computed from the earlier events starts again: the model has to read the files again.
  expect(run.session.slice(ReadLedger).all()).toEqual([]);
  expect(run.session.state(ToolCalls)).toEqual({});
  expect(await call(run, "note", 1)).toBe("succeeded");
  expect(stateOf(run).notes).toEqual(["written", "1 note begins", "1 note ends"]);
});
