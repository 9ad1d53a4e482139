import { mkdtempSync, rmSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineEvent } from "../define/define-event.js";
import { defineSlice } from "../define/define-slice.js";
import { defineState } from "../define/define-state.js";
import { indexLog } from "./index-log.js";
import { replayLog } from "./replay-log.js";
import { SessionLog } from "./session-log.js";

const Add = defineEvent("test.add", z.object({ value: z.number() }));
const Sum = defineState({
  name: "test.sum",
  schema: z.object({ sum: z.number(), count: z.number() }),
  initial: { sum: 0, count: 0 },
  reducers: (on) => [
    on(Add, ({ sum, count }, { value }) => ({ sum: sum + value, count: count + 1 })),
  ],
});
const All = defineSlice({
  name: "test.all",
  policy: "log",
  schema: z.object({ value: z.number() }),
  reducers: (on) => [on(Add, (all, { value }) => [...all.slice(-3), { value }])],
});
const slices = [Sum, All];

function fileIn(): string {
  const directory = mkdtempSync(join(tmpdir(), "wink-log-index-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "session.jsonl");
}

/** Random events with rollbacks to earlier states, also to rolled back ones. */
async function writeLog(path: string, length: number, seed: number): Promise<void> {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  await using log = await SessionLog.open(path, { slices });
  const { session } = log;
  const snapshots = [session.snapshot()];
  while (session.events.lastSequence < length) {
    session.dispatch(Add({ value: random(100) }));
    if (random(10) === 0) snapshots.push(session.snapshot());
    const back = snapshots[snapshots.length - 1 - random(Math.min(snapshots.length, 4))];
    if (random(12) === 0 && back) session.restore(back, { reason: "test" });
  }
}

it("an index gives the state that a replay up to the event gives, for every event (SE-25, RUN-12, I-B8)", async () => {
  const path = fileIn();
  await writeLog(path, 700, 7);
  const { index } = await indexLog(path, { slices });
  expect(index.lastSequence).toBe(700);
  for (let sequence = 0; sequence <= 700; sequence += sequence % 97 === 0 ? 1 : 7) {
    const expected = await replayLog(path, { slices, upTo: sequence });
    expect(index.sessionAt(sequence).toJSON(), `event ${sequence}`).toEqual(expected.toJSON());
  }
  let count = 0;
  for (const { sequence, session } of index.sessions())
    if (count++ % 7 === 0)
      expect(session.toJSON(), `pass, event ${sequence}`).toEqual(
        index.sessionAt(sequence).toJSON(),
      );
  expect(count).toBe(701);
  const whole = await replayLog(path, { slices });
  expect(index.events).toEqual(whole.events.toArray());
  expect(() => index.sessionAt(701)).toThrow("event 701");
});

it("an index follows a log that grows, line by line (SE-27, RUN-12)", async () => {
  const [whole, growing] = [fileIn(), fileIn()];
  await writeLog(whole, 300, 11);
  const lines = (await readFile(whole, "utf8")).split("\n").slice(0, -1);
  await writeFile(growing, "");
  const log = await indexLog(growing, { slices });
  for (let at = 0; at < lines.length; at += 13) {
    const part = lines.slice(at, at + 13).map((line) => `${line}\n`);
    // A half line is not read until it is complete.
    await appendFile(growing, `${part.join("")}`.slice(0, -5));
    await log.refresh();
    await appendFile(growing, `${part.join("")}`.slice(-5));
    expect(await log.refresh()).toBe(true);
  }
  const expected = await replayLog(whole, { slices });
  expect(log.index.events).toEqual(expected.events.toArray());
  for (const sequence of [1, 100, 255, 256, 257, 299])
    expect(log.index.sessionAt(sequence).toJSON()).toEqual(
      (await replayLog(whole, { slices, upTo: sequence })).toJSON(),
    );
});
