import type { Cipher } from "../encryption/cipher.js";
import type { Engine, HeadRecord } from "../engine/engine.js";
import type { Patience } from "./retry.js";

/** What all parts of a head need: its engine, its cipher, and its name in messages. */
export interface HeadContext {
  readonly engine: Engine;
  readonly key: string;
  readonly id: string;
  /** Such as `head 'review-42'`. */
  readonly subject: string;
  readonly timeoutMs: number;
  /** The ciphers of the head's pools, its own last. */
  readonly ciphers: readonly Cipher[];
}

export function ownCipher({ ciphers }: HeadContext): Cipher {
  // Every head has its own pool, and so at least one cipher.
  return ciphers.at(-1) as Cipher;
}

export function ownPool({ pools }: HeadRecord): string {
  // Every head has its own pool.
  return pools.at(-1) as string;
}

export function patienceOf(
  { timeoutMs }: HeadContext,
  options: { readonly signal?: AbortSignal | undefined } | undefined,
): Patience {
  return { timeoutMs, signal: options?.signal };
}
