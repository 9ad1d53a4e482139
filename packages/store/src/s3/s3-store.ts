import { checkStoreOptions } from "../engine/check-options.js";
import type { Engine, HeadEngine } from "../engine/engine.js";
import { StoreError } from "../engine/store-error.js";
import { keyValueEngine } from "../key-value/create-store.js";
import { PackedBlobs } from "../key-value/packed-blobs.js";
import { EngineStore, engineOf } from "../store/engine-store.js";
import { DEFAULT_TIMEOUT_MS } from "../store/retry.js";
import type { Store, StoreOptions } from "../store/store.js";
import { type S3Fetch, S3Storage } from "./s3-storage.js";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface S3StoreOptions extends StoreOptions {
  readonly bucket: string;
  /** A function is called for each request, so it can return credentials that were renewed. */
  readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>);
  /** @default "us-east-1" */
  readonly region?: string | undefined;
  /** The URL of the service, without the bucket. @default that of AWS in the region */
  readonly endpoint?: string | undefined;
  /** The keys of all objects begin with it. @default "wink/" */
  readonly keyPrefix?: string | undefined;
  /**
   * The store that holds the heads and the records, while S3 holds the contents. Needed for a server that ignores
   * conditional writes. It is not closed.
   *
   * @default S3
   */
  readonly heads?: Store | undefined;
}

const NAMES = ["bucket", "credentials", "region", "endpoint", "keyPrefix", "heads"];

/** A store in a bucket of S3, or of a server with its interface. */
export function s3Store(options: S3StoreOptions): Store {
  checkStoreOptions("s3Store", options ?? null, NAMES);
  const { bucket, credentials, region = "us-east-1", keyPrefix = "wink/", heads } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (typeof bucket !== "string" || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket))
    throw new StoreError("ARGUMENT_INVALID", "bucket", "expected the name of a bucket");
  if (typeof credentials !== "function") checkCredentials(credentials);
  if (!/^(?:[\w.-]+\/)*$/.test(keyPrefix))
    throw new StoreError(
      "ARGUMENT_INVALID",
      "keyPrefix",
      "use letters, digits, '.', '_', '-', and '/' at the end",
    );
  const endpoint = checkEndpoint(options.endpoint ?? `https://s3.${region}.amazonaws.com`);
  const storage = new S3Storage(
    signedFetch(credentials, region),
    `${endpoint}/${bucket}`,
    keyPrefix,
    timeoutMs,
  );
  return new EngineStore(
    heads === undefined ? keyValueEngine(storage) : splitEngine(storage, engineOf(heads)),
    options,
  );
}

/** Without this check, the errors of the first request would contain the URL, and with it a password. */
function checkEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search))
    return endpoint.replace(/\/+$/, "");
  throw new StoreError(
    "ARGUMENT_INVALID",
    "endpoint",
    "expected a URL with http or https, and without a user and a query",
  );
}

/** Heads in one engine, contents in S3. */
function splitEngine(storage: S3Storage, { heads }: Engine): Engine {
  return { heads: borrowed(heads), blobs: new PackedBlobs(storage), commitsBlobs: false };
}

/** The same engine, which stays open. */
function borrowed(heads: HeadEngine): HeadEngine {
  return {
    name: `s3 with heads in ${heads.name}`,
    runsStatements: heads.runsStatements,
    prepare: () => heads.prepare(),
    load: (key) => heads.load(key),
    claim: (key, claim) => heads.claim(key, claim),
    create: (key, head) => heads.create(key, head),
    commit: (key, commit) => heads.commit(key, commit),
    renew: (key, epoch, leaseMs) => heads.renew(key, epoch, leaseMs),
    records: (key, stream, after, maxBytes) => heads.records(key, stream, after, maxBytes),
    entries: (key) => heads.entries(key),
    list: (prefix, after, limit) => heads.list(prefix, after, limit),
    delete: (key) => heads.delete(key),
    swapKeys: (key, expected, keys) => heads.swapKeys(key, expected, keys),
    join: (pool, member, root) => heads.join(pool, member, root),
    members: (pool) => heads.members(pool),
    leave: (pool, member) => heads.leave(pool, member),
    close: async () => {},
  };
}

async function load(
  credentials: () => S3Credentials | Promise<S3Credentials>,
): Promise<S3Credentials> {
  try {
    return await credentials();
  } catch (cause) {
    const reason = "the credentials cannot be loaded. Nothing was changed";
    throw new StoreError("UNREACHABLE", "store 's3'", reason, { cause });
  }
}

function checkCredentials(given: S3Credentials | undefined): void {
  if (typeof given?.accessKeyId === "string" && typeof given.secretAccessKey === "string") return;
  throw new StoreError(
    "ARGUMENT_INVALID",
    "credentials",
    "expected { accessKeyId, secretAccessKey }, or a function that returns them",
  );
}

/** Signs requests. The package is loaded with the first one. */
function signedFetch(credentials: S3StoreOptions["credentials"], region: string): S3Fetch {
  const clients = new WeakMap<S3Credentials, S3Fetch>();
  return async (url, init) => {
    const current = typeof credentials === "function" ? await load(credentials) : credentials;
    checkCredentials(current);
    const known = clients.get(current);
    if (known) return known(url, init);
    const { AwsClient } = await import("aws4fetch").catch((error) => {
      throw new StoreError("ARGUMENT_INVALID", "store 's3'", "install the package aws4fetch", {
        cause: error,
      });
    });
    const { accessKeyId, secretAccessKey, sessionToken } = current;
    // Retries belong to the store, which must know whether a request may have been executed.
    const client = new AwsClient({
      ...{ accessKeyId, secretAccessKey, service: "s3", region, retries: 0 },
      ...(sessionToken !== undefined && { sessionToken }),
    });
    const fetch: S3Fetch = (target, request) => client.fetch(target, request);
    clients.set(current, fetch);
    return fetch(url, init);
  };
}
