import { readRun } from "@wink/adapters/run";
import type { RetentionReport, Store } from "@wink/store";
import { openStore } from "@wink/store/url";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { count } from "../view/amounts.js";
import { placeUrl } from "../workspace/place-url.js";

/** Opens the store of `--store`. A file is relative to the directory of the command. */
export function openStoreOf(io: Io, url: string): Promise<Store> {
  return openStore(placeUrl(url, io.cwd), { env: io.env });
}

/** Opens the store of `--store` for one command. */
export async function withStore<T>(
  io: Io,
  url: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  await using store = await openStoreOf(io, url);
  // A server that does not answer is tried for half a minute.
  io.status.show("waiting for the store");
  return await work(store).finally(() => io.status.clear());
}

export interface PruneOptions {
  readonly store: string;
  readonly olderThan?: number;
  readonly keep?: number;
  readonly maxBytes?: number;
  readonly dryRun?: true;
}

export async function showRun(io: Io, url: string, id: string) {
  return await withStore(io, url, async (store) => {
    const head = await store.read(id);
    if (head === undefined)
      throw new CliError(`Run ${id} is not in the store.`, {
        exitCode: EXIT_CODES.usage,
        hint: "`wink runs list` lists the runs.",
      });
    using run = await readRun({ store, id });
    const { agent, model, startedAt } = run.header ?? {};
    const changed = (await run.diff(0, run.lastSequence)).files.length;
    const { sizeBytes, version } = head;
    const counts = { events: run.lastSequence, calls: run.calls.length, turns: run.turns.length };
    const waits = run.parks.filter(({ isAnswered }) => !isAnswered).map(({ text }) => text);
    const known = { id, agent, model, startedAt, ...counts, changedFiles: changed };
    return { ...known, sizeBytes, version, waits };
  });
}

export function renderRun(run: Awaited<ReturnType<typeof showRun>>): string {
  const { id, agent, model, startedAt, turns, calls, events, changedFiles, waits } = run;
  return [
    `${id}: ${agent ?? "no agent"} with ${model ?? "no model"}, started ${startedAt ?? "at an unknown time"}`,
    `${count(turns, "turn")}, ${count(calls, "call")}, ${count(events, "event")}, ${count(changedFiles, "changed file")}`,
    ...waits.map((text) => `waits for an answer: ${text}`),
  ].join("\n");
}

export async function deleteRuns(
  io: Io,
  url: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  return await withStore(io, url, async (store) => {
    for (const id of ids) {
      if ((await store.read(id)) === undefined)
        throw new CliError(`Run ${id} is not in the store.`, { exitCode: EXIT_CODES.usage });
      await store.delete(id);
    }
    return ids;
  });
}

export async function pruneRuns(
  io: Io,
  { store: url, olderThan, keep, maxBytes, dryRun }: PruneOptions,
): Promise<{ readonly deleted: readonly string[]; readonly kept: number }> {
  if (olderThan === undefined && keep === undefined && maxBytes === undefined)
    throw new CliError("Nothing says which runs are old.", {
      exitCode: EXIT_CODES.usage,
      hint: "Use --older-than, --keep or --max-bytes.",
    });
  const report: RetentionReport = await withStore(io, url, (store) =>
    store.prune({ maxAgeMs: olderThan, maxHeads: keep, maxBytes, dryRun }),
  );
  return { deleted: report.deleted.map(({ id }) => id), kept: report.kept };
}

export function renderPruned(
  { deleted, kept }: Awaited<ReturnType<typeof pruneRuns>>,
  isDryRun = false,
): string {
  const rest = `${count(kept, "run")} kept.`;
  if (deleted.length === 0) return `No run is old. ${rest}`;
  const what = isDryRun ? "would be deleted" : "deleted";
  return [...deleted, `${count(deleted.length, "run")} ${what}, ${rest}`].join("\n");
}
