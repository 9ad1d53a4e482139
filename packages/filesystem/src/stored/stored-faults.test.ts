import { isStoreError, type Store } from "@wink/store";
import { postgresStore } from "@wink/store/postgres";
import { redisStore } from "@wink/store/redis";
import { expect, it } from "vitest";
import {
  FaultProxy,
  printedSeed,
  seeded,
} from "../../../store/src/faults/fault-proxy.test.support.js";
import {
  PostgresServer,
  postgresProgram,
} from "../../../store/src/servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../../../store/src/servers/redis-server.test.support.js";
import { isAvailable } from "../../../store/src/servers/required.test.support.js";
import { storedFilesOf } from "./stored-files-of.js";
import { StoredFilesystem } from "./stored-filesystem.js";

// WINK_STORED_FAULTS sets how many calls are made on each server.
const count = Number(process.env["WINK_STORED_FAULTS"] ?? 150);

const servers = [
  {
    name: "PostgreSQL",
    program: postgresProgram,
    start: () => PostgresServer.start(["fsync=off"]),
    open: (port: number) =>
      postgresStore(`postgres://postgres@127.0.0.1:${port}/postgres`, { timeoutMs: 400 }),
  },
  {
    name: "Redis",
    program: redisProgram,
    start: () => RedisServer.start(),
    open: (port: number) => redisStore(`redis://127.0.0.1:${port}`, { timeoutMs: 400 }),
  },
].filter(({ name, program }) => isAvailable(name, program));

interface Call {
  readonly number: number;
  readonly path: string;
  /** `undefined` deletes the file. */
  readonly text: string | undefined;
}

it.each(servers)(
  "$name: files are always equal to the log, although the network fails (STO-55, J233, J242)",
  { timeout: 3_600_000 },
  async ({ name, start, open }) => {
    const random = seeded(printedSeed(`files with faults on ${name}`));
    await using server = await start();
    await using proxy = await FaultProxy.start(server.port, random);
    await using store = open(proxy.port);
    const acknowledged: number[] = [];
    let files = await openSurely(store);
    proxy.faultRate = 0.08;
    for (let number = 1; number <= count; number++) {
      const path = `d${Math.floor(random() * 5)}/f${Math.floor(random() * 40)}`;
      const call: Call = { number, path, text: random() < 0.25 ? undefined : `text ${number}` };
      try {
        await make(files, call);
        acknowledged.push(number);
      } catch {
        // As after the end of a process: what happened is read from the store.
        proxy.faultRate = 0;
        await files.close().catch(() => {});
        files = await openSurely(store);
        proxy.faultRate = 0.08;
      }
    }
    proxy.faultRate = 0;
    await files.close().catch(() => {});
    const { made, expected } = await replay(store);
    expect(acknowledged.filter((number) => !made.includes(number))).toEqual([]);
    expect(made).toEqual([...new Set(made)]);
    expect(acknowledged.length).toBeGreaterThan(count / 2);
    expect(Object.values(proxy.faults).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);
    expect(await contentsOf(store)).toEqual(expected);
  },
);

async function make(files: StoredFilesystem, call: Call): Promise<void> {
  // Closing the files can settle this commit, and makes another one.
  let isStored = false;
  storedFilesOf(files)?.commits?.carry({
    take: () => (isStored ? undefined : { events: [Buffer.from(JSON.stringify(call))] }),
    stored() {
      isStored = true;
    },
    failed() {},
    shrink: () => false,
  });
  await files.transact(async (inside) => {
    const { path, text } = call;
    if (text !== undefined) await inside.write(path, text);
    else if (await inside.exists(path)) await inside.delete(path);
  });
}

async function openSurely(store: Store): Promise<StoredFilesystem> {
  for (;;)
    try {
      return await StoredFilesystem.open(store, "files", { takeOver: "always" });
    } catch (error) {
      if (!isStoreError(error)) throw error;
    }
}

/** The numbers of the calls in the log, and the files that they make. */
async function replay(store: Store) {
  const head = await store.read("files");
  const made: number[] = [];
  const expected: Record<string, string> = {};
  for await (const page of head?.records("events") ?? [])
    for (const record of page) {
      const { number, path, text } = JSON.parse(Buffer.from(record).toString()) as Call;
      made.push(number);
      if (text === undefined) delete expected[path];
      else expected[path] = text;
    }
  return { made, expected };
}

async function contentsOf(store: Store): Promise<Record<string, string>> {
  await using files = await StoredFilesystem.open(store, "files", { readOnly: true });
  const contents: Record<string, string> = {};
  for (const { path } of await files.glob("**")) contents[path] = (await files.read(path)).content;
  return contents;
}
