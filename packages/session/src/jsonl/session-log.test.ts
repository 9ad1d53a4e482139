import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { appendAll, defineEvent, defineSlice, isSessionError, Session } from "../index.js";
import { followLog, type LogRecord, replayLog, SessionLog } from "../jsonl.js";
import type { LogFile } from "./read-lines.js";
import { replayFile } from "./replay-log.js";

const Item = z.object({ n: z.number(), text: z.string() });
const Add = defineEvent("item.add", Item);
const Items = defineSlice({ name: "items", schema: Item, reducers: (on) => [on(Add, appendAll)] });
const Audit = defineSlice({
  name: "audit",
  schema: Item,
  policy: "log",
  reducers: (on) => [on(Add, appendAll)],
});
const slices = [Items, Audit];

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wink-session-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "run.jsonl");
}

const add = (session: Session, ...numbers: readonly number[]) => {
  for (const n of numbers) session.dispatch(Add({ n, text: `item ${n} \u{1f600} \ud800` }));
};
const numbersOf = (session: Session) =>
  session
    .slice(Items)
    .all()
    .map((item) => item.n);

describe("a log", () => {
  it("replays to an equal session, including rolled back events and their reasons (E150, SE-25)", async () => {
    const path = await temporary();
    const log = await SessionLog.open(path, { id: "s", tags: { a: "b" }, slices });
    const { session } = log;
    session.slice(Items).seed([{ n: 0, text: "seed" }]);
    add(session, 1);
    const snapshot = session.snapshot();
    add(session, 2, 3);
    session.restore(snapshot, { reason: "tool failed" });
    session.dispatch(Add({ n: 4, text: "" }), { meta: { toolCallId: "c" } });
    session.slice(Items).clear((item) => item.n === 0);
    await log.close();
    const replayed = await replayLog(path, { slices });
    expect(replayed.toJSON()).toEqual(session.toJSON());
    expect(replayed.events.toArray()).toEqual(session.events.toArray());
    expect([numbersOf(replayed), replayed.slice(Audit).size]).toEqual([[1, 4], 4]);
    expect([replayed.id, replayed.tags]).toEqual(["s", { a: "b" }]);
  });

  it("replays up to an event to the state at that event (SE-25)", async () => {
    const path = await temporary();
    const log = await SessionLog.open(path, { slices });
    const start = log.session.snapshot();
    const states = [log.session.toJSON()];
    for (const n of [1, 2, 3, 4]) {
      add(log.session, n);
      states.push(log.session.toJSON());
      if (n === 2) log.session.restore(start);
    }
    await log.close();
    for (const [upTo, state] of states.entries())
      expect((await replayLog(path, { slices, upTo })).toJSON(), `event ${upTo}`).toEqual(state);
    await expect(replayLog(path, { slices, upTo: 5 })).rejects.toMatchObject({
      code: "EVENT_UNKNOWN",
      message: expect.stringContaining("ends at event 4"),
    });
  });

  it("is continued where it ended (SE-25)", async () => {
    const path = await temporary();
    for (const n of [1, 2, 3]) {
      await using log = await SessionLog.open(path, { slices });
      add(log.session, n);
      if (n === 2) log.session.restore(log.session.clone().snapshot());
    }
    const replayed = await replayLog(path, { slices });
    expect(numbersOf(replayed)).toEqual([1, 2, 3]);
    expect(replayed.events.map((event) => event.sequence)).toEqual([1, 2, 3, 4]);
  });

  it("can start with an existing session, and return to a state before that (E148, SE-25)", async () => {
    const path = await temporary();
    const session = new Session({ id: "s", slices });
    const empty = session.snapshot();
    add(session, 1);
    const one = session.snapshot();
    add(session, 2);
    session.restore(one);
    await using log = await SessionLog.open(path, { session });
    add(session, 3);
    session.restore(one, { reason: "to where the log starts" });
    add(session, 4);
    session.restore(empty, { reason: "to before the log" });
    add(session, 5);
    const replayed = await replayLog(path, { slices });
    expect(log.session).toBe(session);
    expect(replayed.toJSON()).toEqual(session.toJSON());
    expect(replayed.events.toArray()).toEqual(session.events.toArray().slice(2));
    expect(
      (await replayLog(path, { slices, upTo: 4 })).toJSON().slices["items"]?.items.length,
    ).toBe(2);
  });

  it("first returns to a given state after it is locked (E150, SE-25)", async () => {
    const path = await temporary();
    const first = await SessionLog.open(path, { slices });
    add(first.session, 1, 2);
    const before = first.session.snapshot();
    add(first.session, 3);
    first.session.restore(before);
    const { sequence } = first.session;
    add(first.session, 4, 5);
    const busy = SessionLog.open(path, { slices, returnTo: () => expect.unreachable() });
    await expect(busy).rejects.toMatchObject({ code: "SESSION_LOCKED" });
    await first.close();
    const returnTo = () => ({ sequence, reason: "interrupted" });
    for (const round of [1, 2]) {
      const log = await SessionLog.open(path, { slices, returnTo });
      expect(numbersOf(log.session), `round ${round}`).toEqual([1, 2]);
      expect(log.session.events.at(-1)?.rolledBack).toEqual({ reason: "interrupted" });
      await log.close();
    }
    expect(numbersOf(await replayLog(path, { slices }))).toEqual([1, 2]);
    const unknown = SessionLog.open(path, { returnTo: () => ({ sequence: 99, reason: "" }) });
    await expect(unknown).rejects.toMatchObject({ code: "EVENT_UNKNOWN" });
  });

  it("that has a session accepts no other (SE-28)", async () => {
    const path = await temporary();
    await (await SessionLog.open(path)).close();
    await expect(SessionLog.open(path, { session: new Session() })).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
    });
    await (await SessionLog.open(path)).close();
  });

  it("that cannot be written prevents the event (SE-24)", () => {
    const session = new Session({ slices });
    add(session, 1);
    const snapshot = session.snapshot();
    const detach = session.attach({
      write() {
        throw new Error("disk full");
      },
    });
    const before = JSON.stringify(session);
    const failed = expect.objectContaining({ code: "LOG_FAILED" });
    expect(() => add(session, 2)).toThrow(failed);
    expect(() => session.restore(snapshot)).toThrow(failed);
    expect(() => session.restore(JSON.stringify(snapshot))).toThrow(failed);
    expect(JSON.stringify(session)).toBe(before);
    expect(() => session.attach({ write() {} })).toThrow(
      expect.objectContaining({ code: "SESSION_BUSY" }),
    );
    detach();
    add(session, 2);
    expect(session.events.lastSequence).toBe(2);
  });

  it("closes its session when it is closed (SE-24)", async () => {
    const log = await SessionLog.open(await temporary(), { slices, fsync: true });
    add(log.session, 1);
    await log.close();
    await log.close();
    expect(() => add(log.session, 2)).toThrow(expect.objectContaining({ code: "SESSION_CLOSED" }));
  });

  it("registers reducers before the first event with prepare (SE-25)", async () => {
    const path = await temporary();
    const Twice = defineEvent("item.twice", z.null());
    const prepare = (session: Session) =>
      session.slice(Items).register(Twice, (items) => [...items, ...items]);
    const log = await SessionLog.open(path, { slices, prepare });
    add(log.session, 1);
    log.session.dispatch(Twice(null));
    await log.close();
    expect(numbersOf(await replayLog(path, { slices, prepare }))).toEqual([1, 1]);
  });
});

describe("a damaged log", () => {
  async function written(): Promise<{ path: string; bytes: Buffer; ends: number[] }> {
    const path = await temporary();
    const log = await SessionLog.open(path, { id: "s", slices, clock: () => 7 });
    add(log.session, 1);
    const snapshot = log.session.snapshot();
    add(log.session, 2);
    log.session.restore(snapshot);
    add(log.session, 3);
    await log.close();
    const bytes = readFileSync(path);
    const ends = [...bytes.entries()].flatMap(([index, byte]) => (byte === 10 ? [index + 1] : []));
    return { path, bytes, ends };
  }

  it("that is cut at any byte replays the complete lines (E151, SE-26)", async () => {
    const { path, bytes, ends } = await written();
    const expected = [undefined, [], [1], [1, 2], [1], [1, 3]];
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length));
      const complete = ends.filter((end) => end <= length).length;
      const replayed = await replayLog(path, { slices }).catch((error: unknown) => error);
      if (complete === 0) expect(isSessionError(replayed, "LOG_INVALID")).toBe(true);
      else expect(replayed instanceof Session && numbersOf(replayed)).toEqual(expected[complete]);
    }
  });

  it("with an incomplete last line is repaired on open and continued (E151, SE-26)", async () => {
    const { path, bytes } = await written();
    for (const torn of [
      "{",
      '{"kind":"event","event":{"sequence":4',
      bytes.subarray(0, 50).toString(),
    ]) {
      writeFileSync(path, bytes);
      appendFileSync(path, torn);
      const log = await SessionLog.open(path, { slices });
      add(log.session, 9);
      await log.close();
      expect(numbersOf(await replayLog(path, { slices }))).toEqual([1, 3, 9]);
    }
    truncateSync(path, 5);
    const log = await SessionLog.open(path, { slices });
    add(log.session, 1);
    await log.close();
    expect(numbersOf(await replayLog(path, { slices }))).toEqual([1]);
  });

  it("is rejected or replays a part of the events, for 10,000 kinds of damage, and no prototype changes (E145, SE-26)", async () => {
    const { bytes } = await written();
    const prototypes = () =>
      [Object.prototype, Array.prototype].map((each) => Reflect.ownKeys(each).length);
    const keys = prototypes();
    const prefixes = new Set(["[]", "[1]", "[1,2]", "[1,3]"]);
    let state = 99;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 10_000; round++) {
      const damaged = Buffer.from(bytes);
      for (let count = 1 + random(3); count > 0; count--)
        damaged[random(damaged.length)] = random(256);
      const from = random(4) === 0 ? random(damaged.length) : 0;
      const to = random(4) === 0 ? random(damaged.length) : damaged.length;
      const content = random(10) === 0 ? [damaged, damaged] : [damaged.subarray(from, to)];
      const replayed = await replayFile(inMemory(Buffer.concat(content)), { slices }).then(
        ({ session }) => session,
        (error: unknown) => error,
      );
      if (replayed === undefined) continue;
      if (replayed instanceof Session)
        expect(prefixes).toContain(JSON.stringify(numbersOf(replayed)));
      else if (!isSessionError(replayed)) throw new Error(`round ${round}`, { cause: replayed });
    }
    expect(prototypes()).toEqual(keys);
  });

  /** A file in memory, for tests with many rounds. */
  function inMemory(content: Buffer): LogFile {
    return {
      stat: async () => ({ size: content.length }),
      read: async (buffer, offset, length, position) => ({
        bytesRead: content.copy(buffer, offset, position, position + length),
      }),
    };
  }

  it.each([
    ["a missing event", (lines: string[]) => lines.toSpliced(1, 1)],
    ["two events in the wrong order", (lines: string[]) => [lines[0], lines[2], lines[1]]],
    ["no start", (lines: string[]) => lines.slice(1)],
    ["two starts", (lines: string[]) => [lines[0], ...lines]],
    ["an edited event", (lines: string[]) => lines.map((line) => line.replace('"n":1', '"n":7'))],
    ["an empty line", (lines: string[]) => lines.toSpliced(2, 0, "")],
    ["a line that is not UTF-8", (lines: string[]) => lines.toSpliced(1, 1, "\xff")],
  ])("with %s is rejected (E145, SE-26)", async (_, damage) => {
    const { path, bytes } = await written();
    const lines = bytes.toString("latin1").trimEnd().split("\n");
    writeFileSync(path, Buffer.from(`${damage(lines).join("\n")}\n`, "latin1"));
    await expect(replayLog(path, { slices })).rejects.toMatchObject({ code: "LOG_INVALID" });
    await expect(SessionLog.open(path, { slices })).rejects.toMatchObject({ code: "LOG_INVALID" });
  });

  it("or a missing one is a typed error (SE-26)", async () => {
    await expect(replayLog(await temporary())).rejects.toMatchObject({ code: "LOG_INVALID" });
  });
});

describe("following a log", () => {
  it("yields every record from the first, and new ones as they are written (SE-27)", async () => {
    const path = await temporary();
    const stop = new AbortController();
    const seen: LogRecord[] = [];
    const following = (async () => {
      for await (const record of followLog(path, { signal: stop.signal, pollIntervalMs: 2 })) {
        seen.push(record);
        if (record.kind === "event" && record.event.sequence === 20) stop.abort();
      }
    })();
    const log = await SessionLog.open(path, { slices });
    for (let n = 1; n <= 20; n++) {
      add(log.session, n);
      if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await following;
    expect(
      seen.map((record) => (record.kind === "event" ? record.event.sequence : record.kind)),
    ).toEqual(["start", ...Array.from({ length: 20 }, (_, index) => index + 1)]);
    await log.close();
  });

  it("waits for complete lines and detects a replaced log (SE-27)", async () => {
    const path = await temporary();
    const log = await SessionLog.open(path, { slices });
    add(log.session, 1);
    await log.close();
    const whole = readFileSync(path);
    const records = followLog(path, { pollIntervalMs: 2 });
    await records.next();
    await records.next();
    const again = await SessionLog.open(path, { slices });
    add(again.session, 2);
    await again.close();
    const line = readFileSync(path).subarray(whole.length);
    writeFileSync(path, Buffer.concat([whole, line.subarray(0, 20)]));
    const next = records.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    appendFileSync(path, line.subarray(20));
    expect(await next).toMatchObject({ value: { kind: "event", event: { sequence: 2 } } });
    truncateSync(path, 10);
    await expect(records.next()).rejects.toMatchObject({ code: "LOG_INVALID" });
  });
});

describe("two writers", () => {
  it("in one process cannot open a log at the same time (E152, SE-28)", async () => {
    const path = await temporary();
    const log = await SessionLog.open(path, { slices });
    await expect(SessionLog.open(path, { slices })).rejects.toMatchObject({
      code: "SESSION_LOCKED",
      message: expect.stringContaining(`process ${process.pid} has it open`),
    });
    add(log.session, 1);
    await log.close();
    const again = await SessionLog.open(path, { slices });
    expect(numbersOf(again.session)).toEqual([1]);
    await again.close();
    expect(await readdir(join(path, ".."))).toEqual(["run.jsonl"]);
  });

  it("that start concurrently never both succeed (E152, SE-28)", async () => {
    const path = await temporary();
    for (let round = 0; round < 8; round++) {
      const opened = await Promise.allSettled([1, 2, 3].map(() => SessionLog.open(path)));
      const winners = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      expect(winners.length).toBeLessThanOrEqual(1);
      for (const each of opened)
        if (each.status === "rejected")
          expect(each.reason).toMatchObject({ code: "SESSION_LOCKED" });
      await Promise.all(winners.map((winner) => winner.close()));
    }
  });

  const writer = fileURLToPath(
    new URL("../../dist/jsonl/log-writer-process.test-program.js", import.meta.url),
  );

  /** Starts another process that opens the log and writes events until it is killed. */
  async function startWriter(path: string) {
    const child = spawn(process.execPath, [writer, path], {
      stdio: ["ignore", "pipe", "inherit"],
      cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit").then(() => ["ended"]);
    const [first] = await Promise.race([once(child.stdout, "data"), ended]);
    return { child, said: String(first).trim() };
  }

  it("in two processes cannot open a log, and after a kill the next one continues without loss (E151, E152, SE-26, SE-28)", async () => {
    const path = await temporary();
    let held = 0;
    for (let round = 0; round < 2; round++) {
      const { child, said } = await startWriter(path);
      expect(said).toMatch(/^opened/);
      await expect(SessionLog.open(path, { slices })).rejects.toMatchObject({
        code: "SESSION_LOCKED",
      });
      const before = statSync(path).size;
      while (statSync(path).size < before + 20_000)
        await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill("SIGKILL");
      await once(child, "exit");
      const log = await SessionLog.open(path, { slices });
      const numbers = numbersOf(log.session);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(numbers.length).toBeGreaterThan(held);
      add(log.session, numbers.length + 1);
      held = numbers.length + 1;
      await log.close();
    }
  });

  it("are distinguished from a process that got the pid of a dead one (E152, SE-28)", async () => {
    const path = await temporary();
    const log = await SessionLog.open(path);
    const [entry] = await readdir(`${path}.lock`);
    await log.close();
    const [prefix, host, boot, namespace, pid, startTime, ...rest] = (entry ?? "").split(
      /-(?!tmp)/,
    );
    mkdirSync(`${path}.lock`);
    const dead = [prefix, host, boot, namespace, pid, `${startTime}1`, ...rest].join("-");
    writeFileSync(join(`${path}.lock`, dead), "");
    writeFileSync(join(`${path}.lock`, "not a lock"), "");
    await (await SessionLog.open(path)).close();
    expect(await readdir(`${path}.lock`)).toEqual(["not a lock"]);
    const foreign = [prefix, "00000000", boot, namespace, pid, startTime, ...rest].join("-");
    writeFileSync(join(`${path}.lock`, foreign), "");
    utimesSync(join(`${path}.lock`, foreign), 0, 0);
    await expect(SessionLog.open(path)).rejects.toMatchObject({
      code: "SESSION_LOCKED",
      message: expect.stringContaining("another machine"),
    });
  });
});
