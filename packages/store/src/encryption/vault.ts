import { StoreError } from "../engine/store-error.js";
import { type Cipher, plainCipher } from "./cipher.js";

/** Makes the ciphers of heads from their stored keys. */
export interface Vault {
  /** The stored keys of a new head: the keys of its parent, if it is a fork, and its own. */
  newKeys(parent: Uint8Array | undefined, subject: string): Promise<Uint8Array | undefined>;
  /** One cipher for each pool. */
  ciphers(keys: Uint8Array | undefined, pools: number, subject: string): Promise<readonly Cipher[]>;
  /** The same keys, wrapped with the current key; `undefined` if they are already. */
  rewrap(keys: Uint8Array | undefined, subject: string): Promise<Uint8Array | undefined>;
}

export const plainVault: Vault = {
  newKeys: async () => undefined,
  async ciphers(keys, pools, subject) {
    if (keys !== undefined)
      throw new StoreError(
        "ARGUMENT_INVALID",
        subject,
        "it is encrypted. Open it with the option encryption",
      );
    return Array.from({ length: pools }, () => plainCipher);
  },
  rewrap: async () => undefined,
};
