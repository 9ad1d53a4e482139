import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunReader, readRun } from "@wink/adapters/run";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordShowcase } from "../browser-tests/record-showcase.test.support.js";
import { planOf } from "../model/plan-of.js";
import type { RunSource } from "../source/run-source.js";
import { RunFiles } from "./run-files.js";
import { KNOWN_SLICES } from "./session-slices.js";

let base: string;
let files: RunFiles;
let source: RunSource;
let reader: RunReader;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "wink-answers-"));
  const directory = await recordShowcase(base);
  files = new RunFiles({ runs: [directory] });
  source = files.source;
  reader = await readRun(directory, { slices: KNOWN_SLICES });
});

afterAll(() => {
  files.close();
  reader.close();
  rmSync(base, { recursive: true });
});

it("state, files, prompt and conversation are the same as readRun returns for each event (IN-3)", async () => {
  const { lastSequence, turns } = await source.overview("0");
  for (let event = 1; event <= lastSequence; event++) {
    const { slices } = reader.sessionAt(event).toJSON();
    const state = await source.state("0", event);
    expect(state.slices.map(({ name }) => name)).toEqual(Object.keys(slices).sort());
    const plan = slices["plan"]?.items[0] as { steps: readonly object[] } | undefined;
    expect(planOf(state)?.steps ?? []).toEqual(plan?.steps ?? []);
    const expected = Array.from(
      reader.filesAt(event),
      ({ path, contentId }) => `${path} ${contentId}`,
    );
    const { entries } = await source.tree("0", { event });
    expect(entries.map(({ path, content }) => `${path} ${content}`)).toEqual(expected);
    const { messages } = await source.messages("0", event, 0, 200);
    expect(messages.map(({ text }) => text)).toEqual(
      reader.messagesAt(event).map(({ text }) => text),
    );
  }
  for (const { index, from } of turns) {
    const { sections } = await source.prompt("0", index);
    expect(sections.map(({ text }) => text).join("")).toBe(reader.promptAt(from)?.text);
    expect(sections.at(-1)?.end).toBe(reader.promptAt(from)?.text.length);
  }
});

it("every event is in the turn and the call that it belongs to, also where calls ran concurrently (IN-3)", async () => {
  const { columns, calls, turns } = await source.overview("0");
  const events = await source.events("0", 1, 1_000);
  for (const { sequence, type, payload, meta } of events) {
    const { toolCallId = Object(meta).toolCallId } = Object(payload) as { toolCallId?: string };
    const call = calls[columns.call[sequence - columns.from] ?? -1];
    if (toolCallId !== undefined)
      expect([sequence, call?.toolCallId]).toEqual([sequence, toolCallId]);
    else expect(call).toBeUndefined();
    const { turn } = Object(payload) as { turn?: number };
    if (turn !== undefined && type.startsWith("run."))
      expect(turns[columns.turn[sequence - columns.from] ?? -1]?.turn).toBe(turn);
  }
  const covered = turns.flatMap(({ firstCall, callCount, index }) =>
    calls.slice(firstCall, firstCall + callCount).map(({ turn }) => turn === index),
  );
  expect(covered).toEqual(calls.map(() => true));
});

it("a rollback is shown as the diff that the call had made, against files that are as before (IN-4)", async () => {
  const { calls, firstProblem } = await source.overview("0");
  const call = calls.find(({ undone }) => undone !== null);
  const end = call?.end ?? 0;
  expect(firstProblem).toBe(end);
  const view = await source.call("0", call?.index ?? 0);
  expect(view).toMatchObject({
    status: "failed",
    input: { find: "medianDays", replace: "median" },
  });
  expect(view.stateBefore).toBe(view.stateAfter);
  expect(view.answer).toContain("Everything it did was undone");
  const { changes } = await source.changes("0", { event: end }, { event: end, undone: true });
  expect(changes.map(({ path }) => path)).toEqual(["src/delivery.js", "src/report.js"]);
  const [first] = changes;
  const { hunks, added, removed } = await source.diff(
    "0",
    first?.before ?? null,
    first?.after ?? null,
  );
  expect([added, removed]).toEqual([1, 1]);
  expect(hunks[0]?.lines).toContain("+export function median(days) {");
  const none = source.changes("0", { event: 2 }, { event: 2, undone: true });
  await expect(none).rejects.toMatchObject({ code: "UNKNOWN" });
});

it("blame names the call of each line after a restore, and the subagent that wrote it (IN-5)", async () => {
  const { lastSequence, calls } = await source.overview("0");
  const blame = async (event: number, path: string) => {
    const { entries } = await source.tree("0", { event });
    return (
      await source.blame(
        "0",
        event,
        entries.findIndex((each) => each.path === path),
      )
    ).ranges;
  };
  const edits = calls.filter(({ tool }) => tool === "edit_file");
  const restore = calls.find(({ tool }) => tool === "snapshot_restore");
  // The first edit was undone by the restore, and the second one wrote the line again.
  expect(await blame(edits[0]?.end ?? 0, "src/delivery.js")).toContainEqual(
    expect.objectContaining({ from: 3, to: 3, call: edits[0]?.index }),
  );
  expect(
    (await blame(restore?.end ?? 0, "src/delivery.js")).map(({ from, to }) => [from, to]),
  ).toEqual(expect.arrayContaining([[3, 3]]));
  expect(await blame(lastSequence, "src/delivery.js")).toContainEqual(
    expect.objectContaining({ from: 3, to: 3, call: edits.at(-1)?.index, child: null }),
  );
  const [german] = calls.filter(({ tool }) => tool === "translate");
  expect(await blame((restore?.start ?? 1) - 1, "page.de.md")).toEqual([
    expect.objectContaining({
      from: 1,
      to: 3,
      call: german?.index,
      child: { run: german?.child, sequence: 6, call: 0 },
    }),
  ]);
});

it("a search that is continued finds what one long search finds, in each place (IN-7)", async () => {
  const whole = await source.search("0", "MEDIAN");
  expect(whole.next).toBeNull();
  expect(new Set(whole.hits.map((hit) => hit.in))).toEqual(new Set(["events", "text", "paths"]));
  for (const { excerpt, start, end } of whole.hits)
    expect(excerpt.slice(start, end).toLowerCase()).toBe("median");
  const parts = [];
  let after: string | undefined;
  do {
    const { hits, next } = await source.search("0", "median", {
      limit: 3,
      ...(after && { after }),
    });
    parts.push(...hits);
    after = next ?? undefined;
  } while (after !== undefined);
  expect(parts).toEqual(whole.hits);
  expect((await source.search("0", "median", { in: ["paths"] })).hits).toHaveLength(1);
});

it("wrong and foreign arguments are refused by name, and nothing that was not listed can be read (IN-2, IN-12)", async () => {
  const code = (code: string) => expect.objectContaining({ code });
  const wrong: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["UNKNOWN", () => source.overview("7")],
    ["UNKNOWN", () => source.overview("0.5")],
    ["UNKNOWN", () => source.overview("../0")],
    ["INVALID", () => source.tree("0", { event: 9_999 })],
    ["INVALID", () => source.tree("0", { event: -1 })],
    ["INVALID", () => source.tree("0", undefined as never)],
    ["INVALID", () => source.events("0", "1" as never, 2)],
    ["UNKNOWN", () => source.content("0", "0".repeat(40))],
    ["INVALID", () => source.content("0", "../../etc/passwd")],
    ["INVALID", () => source.part("0", "a b")],
    ["UNKNOWN", () => source.part("0", "x".repeat(20))],
    ["UNKNOWN", () => source.prompt("0", 99)],
    ["UNKNOWN", () => source.call("0", 99)],
    ["INVALID", () => source.call("0", 1.5)],
    ["UNKNOWN", () => source.blame("0", 5, 999)],
    ["INVALID", () => source.search("0", "x".repeat(2_000))],
    ["INVALID", () => source.search("0", "x", { in: "all" as never })],
    ["INVALID", () => source.overview("0", { events: "x" } as never)],
  ];
  for (const [expected, answer] of wrong) await expect(answer()).rejects.toEqual(code(expected));
  expect(await source.events("0", 1, 10_000)).toHaveLength(
    (await source.overview("0")).lastSequence,
  );
});
