// Three workers, one queue. One worker is killed in the middle of a run, and another one continues it.
// Queue and runs are in a new SQLite file, or on the server of the URL that you pass: redis://… or postgres://….
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readRun } from "@wink/adapters/run";
import { openQueue } from "@wink/adapters/worker";
import { openStore } from "@wink/store/url";
import { CHAPTERS } from "./agent.js";

const folder = await mkdtemp(path.join(tmpdir(), "wink-workers-"));
const unique = path.basename(folder);
// A server may have requests and runs of an earlier start.
const BOOKS = ["atlas", "botany", "cooking", "dreams"].map((book) => `${unique}/${book}`);
const url = process.argv[2] ?? `sqlite:${path.join(folder, "work.db")}`;
const queueUrl = `${url}#${unique}`;
const [queue, store] = [await openQueue(queueUrl), await openStore(url)];
for (const requestId of BOOKS) await queue.add({ requestId, body: null });

/** Who works on which book. */
const busy = new Map<string, string>();
const workers = new Map<string, ChildProcess>();
for (const name of ["anna", "boris", "clara"]) {
  const worker = fork(fileURLToPath(new URL("./worker.ts", import.meta.url)), [
    queueUrl,
    url,
    name,
  ]);
  workers.set(name, worker);
  worker.on("message", ({ type, requestId }: { type: string; requestId: string }) => {
    console.log(`${name}: ${requestId} ${type}`);
    if (type === "started") busy.set(name, requestId);
    else busy.delete(name);
  });
}

// Kill a worker when its run has a few turns.
let victim: readonly [string, string] | undefined;
while (victim === undefined) {
  await sleep(20);
  for (const each of busy)
    if (((await store.read(each[1]))?.counts.transcript ?? 0) > 12) victim = each;
}
const [killed, book] = victim;
workers.get(killed)?.kill("SIGKILL");
console.log(`\n${killed} is killed while it writes ${book}.\n`);

for (let left = BOOKS.length; left > 0; await sleep(50)) {
  const { waiting, delayed, leased, dead } = await queue.counts();
  assert.equal(dead, 0);
  left = waiting + delayed + leased;
}
for (const worker of workers.values()) {
  const ended = worker.exitCode === null && worker.signalCode === null ? once(worker, "exit") : [];
  worker.kill("SIGTERM");
  await ended;
}

console.log("\nThe logs say which process did what:");
for (const each of BOOKS) {
  const run = await readRun({ store, id: each });
  const names = [run.header?.startedBy?.worker];
  for (const { type, payload } of run.events)
    if (type === "run.take-over") names.push((payload as { worker?: string }).worker);
  console.log(`  ${each}: ${run.turns.length} turns by ${names.join(", then ")}`);
  assert.equal(run.turns.length, CHAPTERS + 1);
  // On a busy machine, a worker may seem dead, and another one continues its run too.
  assert(names.length >= (each === book ? 2 : 1));
  assert(each !== book || names.at(-1) !== killed);
  await run.close();
}
await queue.close?.();
await store.close();
await rm(folder, { recursive: true, force: true });
