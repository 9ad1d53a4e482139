import { quoted } from "../arguments/quoted.js";
import { KeyRing } from "../encryption/key-ring.js";
import { plainVault, type Vault } from "../encryption/vault.js";
import { checkCallOptions, checkOptions, checkQuotas } from "../engine/check-options.js";
import type { Engine, HeadRecord, HeadSummary } from "../engine/engine.js";
import { decodeKey, encodeKey, encodeTenant } from "../engine/key.js";
import { randomName } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import { checkOpenOptions } from "./check-open-options.js";
import { claimHead } from "./claim-head.js";
import { deleteHead, deleteUnused, dropOrphans } from "./delete-head.js";
import { forkHead } from "./fork-head.js";
import type { Head, HeadWriter, StoreCallOptions } from "./head.js";
import type { HeadContext } from "./head-context.js";
import { checkPolicy, chooseExpired } from "./retention.js";
import { DEFAULT_TIMEOUT_MS, type Patience, retry, retryWrite } from "./retry.js";
import type {
  ForkOptions,
  HeadInfo,
  OpenOptions,
  RetentionPolicy,
  RetentionReport,
  Store,
  StoreOptions,
  TenantOptions,
} from "./store.js";
import { openRecord, StoredHead } from "./stored-head.js";
import { StoredWriter } from "./stored-writer.js";

const LEASE_MS = 30_000;
const LIST_PAGE = 500;

const engines = new WeakMap<Store, Engine>();

/** The engine of a store, for a store that keeps its heads there. */
export function engineOf(store: Store): Engine {
  const engine = engines.get(store);
  if (engine) return engine;
  throw new StoreError("ARGUMENT_INVALID", "heads", "expected a store of this package");
}

/** A store over an engine. All rules that engines share are here and in the files next to it. */
export class EngineStore implements Store {
  readonly name: string;
  readonly #engine: Engine;
  readonly #tenant: string;
  readonly #options: StoreOptions;
  readonly #vault: Vault;
  readonly #ready: Ready;

  constructor(
    engine: Engine,
    options: StoreOptions = {},
    { tenant = "", vault = vaultOf(options), ready = new Ready(engine) }: Partial<Inherited> = {},
  ) {
    this.name = engine.heads.name;
    this.#engine = engine;
    this.#tenant = tenant;
    this.#options = options;
    this.#vault = vault;
    this.#ready = ready;
    engines.set(this, engine);
  }

  async open(id: string, options: OpenOptions = {}): Promise<HeadWriter> {
    checkOpenOptions(options);
    const { create = true, minVersion = 0, durability = "call", takeOver = "expired" } = options;
    const { leaseMs = LEASE_MS, signal } = options;
    const { key, subject } = this.#nameOf(id);
    const patience = this.#patience(signal);
    await this.#ready.wait(patience);
    const owner = randomName();
    const mayCreate = create && minVersion === 0;
    if (mayCreate) await this.#checkCount(key, patience);
    const claim = {
      owner,
      leaseMs,
      force: takeOver === "always",
      create: mayCreate ? await this.#newHead(key, subject) : undefined,
    };
    const known = { subject, minVersion, patience };
    return await claimHead(this.#engine.heads, key, claim, known, async (head) => {
      const context = await this.#context(id, head);
      return new StoredWriter(context, await openRecord(context, head), {
        durability,
        leaseMs,
        owner,
        maxHeadBytes: this.#options.maxHeadBytes ?? Number.POSITIVE_INFINITY,
      });
    });
  }

  async read(id: string, options: StoreCallOptions = {}): Promise<Head | undefined> {
    checkCallOptions("read", options);
    const { key } = this.#nameOf(id);
    const patience = this.#patience(options.signal);
    await this.#ready.wait(patience);
    const record = await retry(() => this.#engine.heads.load(key), patience);
    if (record === undefined) return undefined;
    const context = await this.#context(id, record);
    return new StoredHead(context, await openRecord(context, record));
  }

  async *list(options: StoreCallOptions = {}): AsyncGenerator<HeadInfo> {
    checkCallOptions("list", options);
    const patience = this.#patience(options.signal);
    await this.#ready.wait(patience);
    for await (const page of this.#pages(patience)) yield* page.map(infoOf);
  }

  async fork(from: string, to: string, options: ForkOptions = {}): Promise<void> {
    checkOptions("fork", options, ["entry", "signal"]);
    const target = this.#nameOf(to);
    const source = this.#nameOf(from);
    const patience = this.#patience(options.signal);
    await this.#ready.wait(patience);
    await this.#checkCount(target.key, patience);
    await forkHead({
      engine: this.#engine,
      vault: this.#vault,
      contextOf: (record) => this.#context(from, record),
      source,
      target,
      entry: options.entry,
      patience,
    });
  }

  async delete(id: string, options: StoreCallOptions = {}): Promise<void> {
    checkCallOptions("delete", options);
    const { key } = this.#nameOf(id);
    const patience = this.#patience(options.signal);
    await this.#ready.wait(patience);
    await deleteHead(this.#engine, key, patience);
  }

  async prune(policy: RetentionPolicy = {}): Promise<RetentionReport> {
    checkPolicy(policy);
    const patience = this.#patience(undefined);
    await this.#ready.wait(patience);
    const heads: HeadSummary[] = [];
    for await (const page of this.#pages(patience)) heads.push(...page);
    const deleted: HeadInfo[] = [];
    for (const head of chooseExpired(heads, policy))
      if (policy.dryRun === true || (await deleteUnused(this.#engine, head, patience)))
        deleted.push(infoOf(head));
    if (policy.dryRun !== true)
      await dropOrphans(this.#engine, encodeTenant(this.#tenant), patience);
    return { deleted, kept: heads.length - deleted.length };
  }

  async rewrapKeys(): Promise<number> {
    const patience = this.#patience(undefined);
    let count = 0;
    for await (const { id } of this.list()) {
      const { key, subject } = this.#nameOf(id);
      const keys = (await retry(() => this.#engine.heads.load(key), patience))?.keys;
      const wrapped = await this.#vault.rewrap(keys, subject);
      if (keys === undefined || wrapped === undefined) continue;
      // `false`: another call has wrapped them in the meantime.
      if (await retryWrite(() => this.#engine.heads.swapKeys(key, keys, wrapped), patience))
        count += 1;
    }
    return count;
  }

  tenant(id: string, options: TenantOptions = {}): Store {
    checkOptions("tenant", options, ["maxHeadBytes", "maxHeads"]);
    checkQuotas(options);
    if (this.#tenant !== "")
      throw new StoreError("ARGUMENT_INVALID", "tenant", "a tenant has no tenants");
    const { maxHeadBytes = this.#options.maxHeadBytes, maxHeads = this.#options.maxHeads } =
      options;
    return new EngineStore(
      this.#engine,
      { ...this.#options, maxHeadBytes, maxHeads },
      { tenant: requireTenant(id), vault: this.#vault, ready: this.#ready },
    );
  }

  async close(): Promise<void> {
    // The connections belong to the store that the tenants were made from.
    if (this.#tenant === "") await this.#engine.heads.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #nameOf(id: string): { readonly key: string; readonly subject: string } {
    return { key: encodeKey(this.#tenant, id), subject: `head ${quoted(id)}` };
  }

  #patience(signal: AbortSignal | undefined): Patience {
    return { timeoutMs: this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal };
  }

  async #newHead(key: string, subject: string) {
    return {
      pools: [`${key}/${randomName()}`],
      keys: await this.#vault.newKeys(undefined, subject),
      state: undefined,
      deltas: [],
      sizeBytes: 0,
    };
  }

  async #context(id: string, { keys, pools }: HeadRecord): Promise<HeadContext> {
    const { key, subject } = this.#nameOf(id);
    return {
      engine: this.#engine,
      key,
      id,
      subject,
      timeoutMs: this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      ciphers: await this.#vault.ciphers(keys, pools.length, subject),
    };
  }

  /** Two processes that create heads at the same time may exceed the limit by one. */
  async #checkCount(key: string, patience: Patience): Promise<void> {
    const { maxHeads } = this.#options;
    if (maxHeads === undefined) return;
    let count = 0;
    for await (const page of this.#pages(patience)) {
      if (page.some((head) => head.key === key)) return;
      count += page.length;
    }
    if (count >= maxHeads)
      throw new StoreError(
        "FULL",
        "store",
        `it has ${count} heads, at most ${maxHeads} are allowed. Delete some, or raise maxHeads`,
      );
  }

  async *#pages(patience: Patience): AsyncGenerator<readonly HeadSummary[]> {
    const prefix = encodeTenant(this.#tenant);
    for (let after: string | undefined = ""; after !== undefined; ) {
      const from: string = after;
      const page = await retry(() => this.#engine.heads.list(prefix, from, LIST_PAGE), patience);
      yield page.heads;
      after = page.next;
    }
  }
}

function vaultOf({ encryption }: StoreOptions): Vault {
  return encryption === undefined ? plainVault : new KeyRing(encryption);
}

/** The parts that the store of a tenant takes from its parent. */
interface Inherited {
  readonly tenant: string;
  readonly vault: Vault;
  readonly ready: Ready;
}

/** Prepares an engine once, and tries again if that failed. */
class Ready {
  readonly #engine: Engine;
  #prepared: Promise<void> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async wait(patience: Patience): Promise<void> {
    this.#prepared ??= retry(() => this.#engine.heads.prepare(), {
      timeoutMs: patience.timeoutMs,
    });
    try {
      await this.#prepared;
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }
}

function requireTenant(tenant: string): string {
  if (tenant !== "") return encodeTenant(tenant) && tenant;
  throw new StoreError("ARGUMENT_INVALID", "tenant", "expected a text that is not empty, got ''");
}

function infoOf({ key, leaseLeftMs, ageMs: _, ...summary }: HeadSummary): HeadInfo {
  return { id: decodeKey(key), ...summary, leased: leaseLeftMs > 0 };
}
