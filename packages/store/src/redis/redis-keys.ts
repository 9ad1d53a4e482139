import { StoreError } from "../engine/store-error.js";

/**
 * The names of the keys. All keys of a head have its name in braces, so that a cluster keeps them on one server.
 *
 * The parts of a name have no characters with a meaning in Redis patterns.
 */
export class RedisKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    if (!/^[\w.-]{1,40}$/.test(prefix))
      throw new StoreError(
        "ARGUMENT_INVALID",
        "keyPrefix",
        "use letters, digits, '.', '_' and '-'",
      );
    this.#prefix = prefix;
  }

  head(key: string): string {
    return `${this.#prefix}:{${key}}:head`;
  }

  deltas(key: string): string {
    return `${this.#prefix}:{${key}}:deltas`;
  }

  records(key: string, stream: string): string {
    return `${this.#prefix}:{${key}}:${stream}`;
  }

  blobs(pool: string): string {
    const [key, name] = split(pool);
    return `${this.#prefix}:{${key}}:blobs:${name}`;
  }

  members(pool: string): string {
    const [key, name] = split(pool);
    return `${this.#prefix}:{${key}}:members:${name}`;
  }

  /** The sorted set of all keys of a tenant. */
  index(prefix: string): string {
    return `${this.#prefix}:heads:${prefix}`;
  }

  indexOf(key: string): string {
    return this.index(key.slice(0, key.indexOf("/") + 1));
  }

  /** A pattern for the blobs of all pools of a tenant. */
  blobsPattern(prefix: string): string {
    return `${this.#prefix}:{${prefix}*}:blobs:*`;
  }

  poolOf(blobs: string): string {
    const inner = blobs.slice(blobs.indexOf("{") + 1);
    return inner.replace("}:blobs:", "/");
  }
}

function split(pool: string): readonly [string, string] {
  const at = pool.lastIndexOf("/");
  return [pool.slice(0, at), pool.slice(at + 1)];
}
