import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Run as DurableRun } from "@wink/adapters/run";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { SqliteRequestQueue } from "@wink/adapters/sqlite";
import { InMemoryFilesystem, StoredFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import type { Store } from "@wink/store";
import { sqliteStore } from "@wink/store/sqlite";
import { model, promptFor } from "./durable-agent.js";
import type { Run } from "./harness.js";

export async function run(run: Run): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), "wink-durable-bench-"));
  const store = sqliteStore(join(base, "runs.db"), { synchronous: "normal" });
  try {
    await compareCost(run, base, store, true);
    await compareCost(run, base, store, false);
    for (const turns of [10, 100, run.quick ? 300 : 1_000])
      await compareResume(run, base, store, turns);
    await compareWorkspaceSize(run, store);
    await compareWorkers(run, base);
  } finally {
    await store.close();
    await rm(base, { recursive: true, force: true });
  }
}

let count = 0;

function files(amount: number): Readonly<Record<string, string>> {
  const entries = Array.from({ length: amount }, (_, n) => [
    `src/${n % 100}/file-${n}.txt`,
    `${n}\n`.repeat(99),
  ]);
  return Object.fromEntries([["note.txt", "0"], ...entries]);
}

/** What one turn with one call costs in a durable run, compared with the same run in memory. */
async function compareCost(run: Run, base: string, store: Store, writes: boolean): Promise<void> {
  const turns = run.quick ? 20 : 100;
  const evaluate = async (opened: DurableRun) => {
    const { session, filesystem } = opened;
    const prompt = await promptFor(session, filesystem);
    await model({ turns, writes }).evaluate(prompt, { run: opened, session });
    return turns;
  };
  const plain = async () => {
    const [session, filesystem] = [new Session(), new InMemoryFilesystem({ files: files(10) })];
    await model({ turns, writes }).evaluate(await promptFor(session, filesystem), { session });
    return turns;
  };
  const durable = (fsync: boolean) => async () => {
    const filesystem = new InMemoryFilesystem({ files: files(10) });
    const directory = join(base, `cost-${++count}`);
    await using opened = await DurableRun.open(directory, { filesystem, fsync });
    return await evaluate(opened);
  };
  const stored = async () => {
    await using opened = await DurableRun.open({ store, id: `cost-${++count}` });
    return await evaluate(opened);
  };
  await run.compare({
    name: `one turn with one call that ${writes ? "writes a file" : "changes nothing"}, durable`,
    ours: durable(false),
    peers: { "in memory": plain, "with fsync": durable(true), "in SQLite": stored },
    targets: [{ peer: "in memory", atMost: 10 }],
  });
}

/** Asks for the next request of a run and ends. */
async function nextRequest(opened: DurableRun): Promise<void> {
  const { session, filesystem } = opened;
  const asked = new ScriptedAdapter({
    turns: () => {
      throw new Error("asked");
    },
  });
  const prompt = await promptFor(session, filesystem);
  await asked.evaluate(prompt, { run: opened, session }).catch(() => {});
}

/** A run whose process ended when it asked for its last turn. */
async function interrupt(opened: DurableRun, turns: number): Promise<void> {
  const { session, filesystem } = opened;
  const stop = new AbortController();
  const options = { run: opened, session, signal: stop.signal };
  await model({ turns, stop })
    .evaluate(await promptFor(session, filesystem), options)
    .catch(() => {});
  await opened.close();
}

/** Opens a run of an ended process, and finds out what its next request is. */
async function compareResume(run: Run, base: string, store: Store, turns: number): Promise<void> {
  const [directory, id] = [join(base, `resume-${++count}`), `resume-${count}`];
  const first = new InMemoryFilesystem({ files: files(10) });
  await interrupt(await DurableRun.open(directory, { filesystem: first }), turns);
  await interrupt(await DurableRun.open({ store, id }), turns);
  await run.compare({
    name: `resume after ${turns} turns`,
    ours: async () => {
      const given = { filesystem: new InMemoryFilesystem(), restoreFiles: true };
      await using again = await DurableRun.open(directory, given);
      await nextRequest(again);
    },
    peers: {
      "in SQLite": async () => {
        await using again = await DurableRun.open({ store, id });
        await nextRequest(again);
      },
    },
    targets: [],
    rounds: 3,
  });
}

/**
 * Resuming reads three lists of files: that of the head, that of the last state, and the one in the log. So the time
 * grows with the number of files.
 */
async function compareWorkspaceSize(run: Run, store: Store): Promise<void> {
  const turns = 100;
  const many = run.quick ? 2_000 : 10_000;
  const workspaces = {
    few: files(100),
    many: files(many),
    large: Object.fromEntries(
      Object.entries(files(many)).map(([path, text]) => [path, text.repeat(30)]),
    ),
  };
  for (const [id, texts] of Object.entries(workspaces)) {
    const fill = async (filesystem: StoredFilesystem) => {
      await filesystem.transact(async () => {
        for (const [path, text] of Object.entries(texts)) await filesystem.write(path, text);
      });
    };
    await interrupt(await DurableRun.open({ store, id }, { fill }), turns);
  }
  const resume = (id: string) => async () => {
    await using again = await DurableRun.open({ store, id });
    await nextRequest(again);
  };
  const load = async () => {
    await using _ = await StoredFilesystem.open(store, "many", { readOnly: true });
  };
  await run.compare({
    name: `resume after ${turns} turns with ${many} files of 10 kB in SQLite`,
    ours: resume("large"),
    peers: {
      [`with ${many} files of 400 bytes`]: resume("many"),
      "with 100 files": resume("few"),
      "loading the list of files": load,
    },
    targets: [],
  });
}

const WORKER = fileURLToPath(new URL("./durable-worker.js", import.meta.url));
const ANSWER_MS = 50;

/** Workers are processes on one SQLite file. A request is a run of three turns with two calls. */
async function compareWorkers(run: Run, base: string): Promise<void> {
  const requests = run.quick ? 16 : 60;
  const file = join(base, "work.db");
  const options = { synchronous: "normal" } as const;
  const queue = new SqliteRequestQueue<null>(file, options);
  const replies = new SqliteRequestQueue(file, { ...options, name: "replies" });
  const workers = async (amount: number) => {
    const children: ChildProcess[] = [];
    try {
      for (let n = 0; n < amount; n++) {
        const args = [WORKER, file, "3", `${ANSWER_MS}`];
        const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
        children.push(child);
        await once(child.stdout, "data");
      }
      const start = performance.now();
      for (let n = 0; n < requests; n++) await queue.add({ body: null, replyTo: "replies" });
      for (let ended = 0; ended < requests; ) {
        const reply = await replies.take(60_000, { waitMs: 60_000 });
        if (reply === undefined) throw new Error("A worker did not answer.");
        await replies.end(reply, { kind: "done" });
        ended++;
      }
      const micros = ((performance.now() - start) * 1_000) / requests;
      return { micros };
    } finally {
      for (const child of children) {
        child.kill("SIGTERM");
        if (child.exitCode === null) await Promise.race([once(child, "exit"), sleep(10_000)]);
      }
    }
  };
  await run.compare({
    name: `one request of three turns that take ${ANSWER_MS} ms each, with four workers`,
    ours: () => workers(4),
    peers: { "one worker": () => workers(1), "two workers": () => workers(2) },
    targets: [{ peer: "one worker", atLeast: 1.5 }],
    rounds: run.quick ? 1 : 3,
  });
  const { oursMicros = 1, peersMicros } = run.rows.at(-1) ?? {};
  const rates = [peersMicros?.["one worker"] ?? 1, peersMicros?.["two workers"] ?? 1, oursMicros];
  const shown = rates.map((each) => (1_000_000 / each).toFixed(1));
  console.log(`  requests per second with 1, 2 and 4 workers: ${shown.join(", ")}`);
  await queue.close();
  await replies.close();
}
