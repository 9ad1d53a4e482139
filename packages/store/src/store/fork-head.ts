import { quoted } from "../arguments/quoted.js";
import type { Vault } from "../encryption/vault.js";
import type { Engine, HeadRecord } from "../engine/engine.js";
import { totalBytes } from "../engine/frames.js";
import { randomName } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import { type HeadContext, ownCipher, ownPool } from "./head-context.js";
import { type Patience, retry, retryWrite } from "./retry.js";
import { openRecord, StoredHead } from "./stored-head.js";
import { encodeRoot } from "./sweep-pool.js";

export interface Fork {
  readonly engine: Engine;
  readonly vault: Vault;
  readonly contextOf: (record: HeadRecord) => Promise<HeadContext>;
  readonly source: { readonly key: string; readonly subject: string };
  readonly target: { readonly key: string; readonly subject: string };
  readonly entry: string | undefined;
  readonly patience: Patience;
}

/**
 * Creates a head that starts with the state of another one, whose writer is not needed.
 *
 * The fork first joins the pools whose contents it will use, with the state it starts from. Then it reads the source
 * again: if its version is the same, a sweep that did not see the fork deleted nothing that the fork needs.
 */
export async function forkHead(fork: Fork): Promise<void> {
  const { engine, vault, source, target, patience } = fork;
  for (;;) {
    const record = await retry(() => engine.heads.load(source.key), patience);
    if (record === undefined) throw new StoreError("LOST", source.subject);
    const context = await fork.contextOf(record);
    const opened = await openRecord(context, record);
    const { state, deltas } = await rootOf(fork, context, opened);
    const root = await ownCipher(context).seal("root", encodeRoot({ state, deltas }));
    const keys = await vault.newKeys(record.keys, target.subject);
    const pools = [...record.pools, `${target.key}/${randomName()}`];
    const own = (await vault.ciphers(keys, pools.length, target.subject)).at(-1);
    // One cipher for each pool.
    if (own === undefined) throw new StoreError("CORRUPT_BLOB", target.subject);
    const name = pools.at(-1) as string;
    await joinAll(fork, record, name, root);
    const after = await retry(() => engine.heads.load(source.key), patience);
    const isSame = after?.version === record.version && ownPool(after) === ownPool(record);
    if (!isSame) {
      await leaveAll(fork, record.pools, name);
      continue;
    }
    const head = {
      pools,
      keys,
      state: state && (await own.seal("state", state)),
      deltas: await Promise.all(deltas.map((delta) => own.seal("delta", delta))),
      sizeBytes: (state?.length ?? 0) + totalBytes(deltas),
    };
    if (await retryWrite(() => engine.heads.create(target.key, head), patience)) return;
    const existing = await retry(() => engine.heads.load(target.key), patience);
    // The first answer was lost, and the repetition found the fork itself.
    if (existing && ownPool(existing) === name) return;
    await leaveAll(fork, record.pools, name);
    throw new StoreError("ARGUMENT_INVALID", target.subject, "it exists already");
  }
}

async function rootOf(
  { entry, source, patience }: Fork,
  context: HeadContext,
  record: HeadRecord,
): Promise<Pick<HeadRecord, "state" | "deltas">> {
  if (entry === undefined) return record;
  const entries = await new StoredHead(context, record).entries({ signal: patience.signal });
  const state = entries.get(entry);
  if (state === undefined)
    throw new StoreError("LOST", source.subject, `it has no entry ${quoted(entry)}`);
  return { state, deltas: [] };
}

/**
 * Notes the fork in the pools whose contents it can reach, with the states that protect them: the state it starts from
 * in the pool of its source, and in older pools the state that its source started from, which contains every reference
 * that the source can pass on.
 */
async function joinAll(
  { engine, patience }: Fork,
  source: HeadRecord,
  name: string,
  root: Uint8Array,
): Promise<void> {
  for (const pool of source.pools) {
    const isOwn = pool === ownPool(source);
    const inherited = isOwn
      ? root
      : (await retry(() => engine.heads.members(pool), patience)).get(ownPool(source));
    if (inherited) await retryWrite(() => engine.heads.join(pool, name, inherited), patience);
  }
}

async function leaveAll(
  { engine, patience }: Fork,
  pools: readonly string[],
  name: string,
): Promise<void> {
  for (const pool of pools) await retryWrite(() => engine.heads.leave(pool, name), patience);
}
