import type { Engine, HeadRecord, HeadSummary } from "../engine/engine.js";
import { ownPool } from "./head-context.js";
import { type Patience, retry, retryWrite } from "./retry.js";

/**
 * Deletes a head, then the contents that no other head uses.
 *
 * A crash in between leaves contents without a head. They are invisible, and {@link dropOrphans} deletes them.
 */
export async function deleteHead(engine: Engine, key: string, patience: Patience): Promise<void> {
  const record = await retry(() => engine.heads.load(key), patience);
  if (record !== undefined) await deleteRecord(engine, key, record, patience);
}

/** Deletes a head, unless a writer has opened or changed it since it was listed. Returns whether it was deleted. */
export async function deleteUnused(
  engine: Engine,
  { key, version }: HeadSummary,
  patience: Patience,
): Promise<boolean> {
  const record = await retry(() => engine.heads.load(key), patience);
  if (record?.version !== version || record.leaseLeftMs > 0) return false;
  await deleteRecord(engine, key, record, patience);
  return true;
}

async function deleteRecord(
  engine: Engine,
  key: string,
  record: HeadRecord,
  patience: Patience,
): Promise<void> {
  await retryWrite(() => engine.heads.delete(key), patience);
  for (const pool of record.pools) {
    await retryWrite(() => engine.heads.leave(pool, ownPool(record)), patience);
    await dropIfUnused(engine, pool, patience);
  }
}

/** Deletes the pools of deleted heads that no fork uses. */
export async function dropOrphans(
  engine: Engine,
  prefix: string,
  patience: Patience,
): Promise<void> {
  for await (const pool of engine.blobs.pools(prefix)) await dropIfUnused(engine, pool, patience);
}

async function dropIfUnused(engine: Engine, pool: string, patience: Patience): Promise<void> {
  const members = await retry(() => engine.heads.members(pool), patience);
  if (members.size > 0 || (await isInUse(engine, pool, patience))) return;
  await retryWrite(() => engine.blobs.drop(pool), patience);
}

/** Whether the head exists that writes to the pool. */
async function isInUse(engine: Engine, pool: string, patience: Patience): Promise<boolean> {
  const owner = pool.slice(0, pool.lastIndexOf("/"));
  const head = await retry(() => engine.heads.load(owner), patience);
  return head !== undefined && ownPool(head) === pool;
}
