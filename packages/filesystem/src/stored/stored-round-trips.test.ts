import { postgresStore } from "@wink/store/postgres";
import { redisStore } from "@wink/store/redis";
import { s3Store } from "@wink/store/s3";
import { expect, it } from "vitest";
import { FaultProxy } from "../../../store/src/faults/fault-proxy.test.support.js";
import {
  PostgresServer,
  postgresProgram,
} from "../../../store/src/servers/postgres-server.test.support.js";
import { RedisServer, redisProgram } from "../../../store/src/servers/redis-server.test.support.js";
import { isAvailable } from "../../../store/src/servers/required.test.support.js";
import { S3Server } from "../../../store/src/servers/s3-server.test.support.js";
import { commitCarried } from "./carried-records.test.support.js";
import { StoredFilesystem } from "./stored-filesystem.js";

// WINK_STORED_FILES sets how many files of 2 KB are searched. The long form has 10,000.
const fileCount = Number(process.env["WINK_STORED_FILES"] ?? 2_000);
const MEBIBYTE = 1024 * 1024;

const servers = [
  {
    name: "PostgreSQL",
    program: postgresProgram,
    start: () => PostgresServer.start(["fsync=off"]),
    // One connection, so that its start is counted once, before the measurement.
    open: (port: number) =>
      postgresStore(`postgres://postgres@127.0.0.1:${port}/postgres`, { maxConnections: 1 }),
  },
  {
    name: "Redis",
    program: redisProgram,
    start: () => RedisServer.start(),
    open: (port: number) => redisStore(`redis://127.0.0.1:${port}`),
  },
].filter(({ name, program }) => isAvailable(name, program));

it.each(servers)(
  "$name: calls on stored files stay within their budgets of round trips, counted on the wire (STO-54)",
  async ({ start, open }) => {
    await using server = await start();
    await using proxy = await FaultProxy.start(server.port);
    await using store = open(proxy.port);
    const trips = async (body: () => Promise<unknown>) => {
      const before = proxy.roundTrips;
      await body();
      return proxy.roundTrips - before;
    };
    const first = await StoredFilesystem.open(store, "files");
    let bytes = 0;
    await first.transact(async (files) => {
      for (let index = 0; index < fileCount; index++) {
        const text = `file ${index}\n${"some text of a file\n".repeat(100)}`;
        bytes += text.length;
        await files.write(`d${index % 100}/f${index}.txt`, text);
      }
    });
    await first.close();

    let files = await StoredFilesystem.open(store, "files");
    await using _ = { [Symbol.asyncDispose]: () => files.close() };
    const grep = () => files.grep("file 1711", { literal: true });
    expect(await trips(grep)).toBeLessThanOrEqual(Math.ceil(bytes / (8 * MEBIBYTE)) + 3);
    expect(await trips(grep)).toBe(0);
    expect(await trips(() => files.list("d1"))).toBe(0);
    expect(await trips(() => files.glob("**/*.txt"))).toBe(0);
    expect(await trips(() => files.usage())).toBe(0);

    // A tool call: files, three events and an answer.
    const call = commitCarried(files, 3);
    expect(
      await trips(() =>
        files.transact(async (inside) => {
          await inside.write("d1/new.txt", "x".repeat(MEBIBYTE));
          await inside.delete("d2/f2.txt");
          call.record();
        }),
      ),
    ).toBe(1);
    expect(
      await trips(() =>
        files
          .transact(async (inside) => {
            await inside.write("d1/new.txt", "2");
            throw new Error("no");
          })
          .catch(() => {}),
      ),
    ).toBe(0);
    expect(await trips(() => files.snapshot({ name: "one" }))).toBe(1);
    const [snapshot] = await files.snapshots();
    expect(await trips(() => files.move("d5", "moved"))).toBe(1);
    expect(await trips(() => files.restore(snapshot as NonNullable<typeof snapshot>))).toBe(1);
    await files.close();

    const opening = await trips(async () => {
      files = await StoredFilesystem.open(store, "files");
    });
    expect(opening).toBeLessThanOrEqual(3);
    expect(await trips(() => files.read("d1/f1.txt"))).toBe(1);
    expect(await trips(() => files.read("d1/f1.txt"))).toBe(0);
  },
);

it("S3: a changing call is two requests (STO-54)", async () => {
  await using server = await S3Server.start();
  const credentials = { accessKeyId: "AK", secretAccessKey: "SK" };
  await using store = s3Store({ bucket: "runs", endpoint: server.url, credentials });
  await using files = await StoredFilesystem.open(store, "files");
  await files.write("a.txt", "1");
  const call = commitCarried(files, 3);
  const requests = async (body: () => Promise<unknown>) => {
    const before = server.requests.length;
    await body();
    return server.requests.length - before;
  };
  expect(
    await requests(() =>
      files.transact(async (inside) => {
        await inside.write("a.txt", "2");
        await inside.write("b.txt", "3");
        call.record();
      }),
    ),
  ).toBe(2);
  expect(await requests(() => files.delete("b.txt"))).toBe(1);
});
