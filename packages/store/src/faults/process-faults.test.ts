import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isStoreError } from "../engine/store-error.js";
import { postgresStore } from "../postgres/postgres-store.js";
import { redisStore } from "../redis/redis-store.js";
import { PostgresServer, postgresProgram } from "../servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../servers/redis-server.test.support.js";
import { isAvailable } from "../servers/required.test.support.js";
import { openDatabase } from "../sqlite/sqlite-database.js";
import { sqliteStore } from "../sqlite/sqlite-store.js";
import type { Store } from "../store/store.js";

const PROGRAM = fileURLToPath(new URL("../../dist/faults/writer.test-program.js", import.meta.url));
const KILLS = Number(process.env["WINK_STORE_KILLS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 2 : 1));
const PROGRAMS: Record<string, () => string | undefined> = {
  Redis: () => redisProgram,
  PostgreSQL: () => postgresProgram,
};

/** A writer in another process, and the numbers that it printed. */
class OtherProcess {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  #rest = "";

  constructor(location: string, first: number) {
    this.#child = spawn(process.execPath, [PROGRAM, location, String(first)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child.stdout?.on("data", (bytes: Buffer) => {
      const lines = (this.#rest + bytes.toString()).split("\n");
      this.#rest = lines.pop() ?? "";
      this.lines.push(...lines);
    });
  }

  async until(condition: (lines: readonly string[]) => boolean): Promise<void> {
    while (!condition(this.lines) && !this.#hasEnded)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

async function eventsOf(store: Store): Promise<readonly number[]> {
  const events: number[] = [];
  for await (const page of (await store.read("a"))?.records("events") ?? [])
    events.push(...page.map((record) => Number(Buffer.from(record).toString())));
  return events;
}

/** Freezes a process and takes over its head. A process that has locked the SQLite file runs on until it is free. */
async function takeOverFrom(frozen: OtherProcess, store: Store) {
  for (;;) {
    frozen.signal("SIGSTOP");
    try {
      return await store.open("a", { takeOver: "always" });
    } catch (error) {
      if (!isStoreError(error, "UNREACHABLE")) throw error;
      frozen.signal("SIGCONT");
      const { length } = frozen.lines;
      await frozen.until((lines) => lines.length > length);
    }
  }
}

const engines = [
  {
    name: "SQLite",
    async start() {
      const folder = await mkdtemp(path.join(tmpdir(), "wink-sqlite-kill-"));
      const location = path.join(folder, "runs.db");
      const end = () => rm(folder, { recursive: true, force: true });
      return { location, store: sqliteStore(location, { timeoutMs: 1000 }), end };
    },
  },
  {
    name: "Redis",
    async start() {
      const server = await RedisServer.start();
      const end = () => server[Symbol.asyncDispose]();
      return { location: server.url, store: redisStore(server.url), end };
    },
  },
  {
    name: "PostgreSQL",
    async start() {
      const server = await PostgresServer.start();
      const end = () => server[Symbol.asyncDispose]();
      return { location: server.url, store: postgresStore(server.url), end };
    },
  },
].filter(({ name }) => PROGRAMS[name] === undefined || isAvailable(name, PROGRAMS[name]()));

it.each(engines)(
  "$name: kill -9 of a writer loses no commit that it acknowledged (STO-37)",
  async ({ start }) => {
    const { location, store, end } = await start();
    try {
      let acknowledged = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const writer = new OtherProcess(location, acknowledged + 1);
        await writer.until((lines) => lines.length >= 10);
        await writer.kill();
        const events = await eventsOf(store);
        const printed = writer.lines.map(Number);
        const last = printed.at(-1) ?? 0;
        // The last commit may be stored and not printed yet.
        expect([last, last + 1]).toContain(events.length);
        expect(events).toEqual(Array.from({ length: events.length }, (_, index) => index + 1));
        acknowledged = events.length;
      }
    } finally {
      await store.close();
      await end();
    }
  },
);

it.each(engines)(
  "$name: a writer that was frozen is refused after another took over (STO-14, J242)",
  async ({ start }) => {
    const { location, store, end } = await start();
    const frozen = new OtherProcess(location, 1);
    try {
      await frozen.until((lines) => lines.length >= 5);
      const writer = await takeOverFrom(frozen, store);
      const before = writer.counts.events;
      await writer.commit({ events: [Buffer.from("1000")] });
      frozen.signal("SIGCONT");
      await frozen.until((lines) => lines.at(-1)?.startsWith("error") === true);
      expect(frozen.lines.at(-1)).toBe("error LEASE_LOST");
      const events = await eventsOf(store);
      expect(events.slice(before)).toEqual([1000]);
      await writer.close();
    } finally {
      await frozen.kill();
      await store.close();
      await end();
    }
  },
);

it("SQLite: a full disk refuses a commit and keeps all others (STO-37)", async () => {
  const database = await openDatabase(":memory:");
  const store = sqliteStore(database);
  const writer = await store.open("a");
  database.exec("PRAGMA max_page_count = 200");
  let stored = 0;
  const fill = async () => {
    for (;;) {
      await writer.commit({ events: [Buffer.alloc(20_000, stored)] });
      stored += 1;
    }
  };
  await expect(fill()).rejects.toMatchObject({ code: "FULL" });
  expect(stored).toBeGreaterThan(3);
  expect((await store.read("a"))?.counts.events).toBe(stored);
  database.exec("PRAGMA max_page_count = 100000");
  await writer.commit({ events: [Buffer.from("again")] });
  expect(writer.counts.events).toBe(stored + 1);
  database.close();
});

it("SQLite: a file that was replaced by an older copy is reported as REWOUND (STO-38)", async () => {
  const database = await openDatabase(":memory:");
  const store = sqliteStore(database);
  const writer = await store.open("a");
  await writer.commit({ events: [Buffer.from("1")] });
  database.exec(
    "CREATE TABLE old_head AS SELECT * FROM wink_head; CREATE TABLE old_record AS SELECT * FROM wink_record",
  );
  await writer.commit({ events: [Buffer.from("2")] });
  database.exec(`DELETE FROM wink_head; INSERT INTO wink_head SELECT * FROM old_head;
    DELETE FROM wink_record; INSERT INTO wink_record SELECT * FROM old_record`);
  await expect(writer.commit({ events: [Buffer.from("3")] })).rejects.toMatchObject({
    code: "REWOUND",
  });
  database.close();
});
