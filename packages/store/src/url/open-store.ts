import { quoted } from "../arguments/quoted.js";
import { checkStoreOptions } from "../engine/check-options.js";
import { StoreError } from "../engine/store-error.js";
import type { Store, StoreOptions } from "../store/store.js";

export interface OpenStoreOptions extends StoreOptions {
  /** Variables with the credentials and the region of S3. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

const FORMS = "sqlite:FILE, postgres://HOST/DATABASE, redis://HOST or s3://BUCKET/PREFIX";

/**
 * Opens the store that a URL names: `sqlite:./runs.db`, `postgres://…`, `redis://…`, `rediss://…` or
 * `s3://bucket/prefix?endpoint=…&region=…`. The client of the engine is loaded when it is needed.
 *
 * S3 takes its credentials from `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. No message contains
 * the URL, because it may have a password.
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<Store> {
  checkStoreOptions("openStore", options, ["env"]);
  if (typeof (options?.env ?? {}) !== "object" || options?.env === null)
    throw new StoreError("ARGUMENT_INVALID", "openStore", "option 'env' must be an object");
  const { env = process.env, ...rest } = options;
  const scheme = typeof url === "string" ? /^([a-z0-9+]+):/i.exec(url)?.[1]?.toLowerCase() : "";
  switch (scheme) {
    case "sqlite": {
      const { sqliteStore } = await import("../sqlite/sqlite-store.js");
      return sqliteStore(fileOf(url), rest);
    }
    case "postgres":
    case "postgresql": {
      const { postgresStore } = await import("../postgres/postgres-store.js");
      return postgresStore(checked(url).href, rest);
    }
    case "redis":
    case "rediss": {
      const { redisStore } = await import("../redis/redis-store.js");
      return redisStore(checked(url).href, rest);
    }
    case "s3":
      return await openS3(checked(url), env, rest);
    default:
      throw new StoreError(
        "ARGUMENT_INVALID",
        "store",
        `${scheme ? `the scheme ${quoted(scheme)} is unknown` : "it is not a URL"}. Use ${FORMS}`,
      );
  }
}

/** Whether a text begins like the URL of a store. */
export function isStoreUrl(text: string): boolean {
  return typeof text === "string" && /^(?:sqlite|postgres(?:ql)?|rediss?|s3):/i.test(text);
}

async function openS3(
  url: URL,
  env: NonNullable<OpenStoreOptions["env"]>,
  options: StoreOptions,
): Promise<Store> {
  const { s3Store } = await import("../s3/s3-store.js");
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey)
    throw new StoreError(
      "ARGUMENT_INVALID",
      "store 's3'",
      "credentials are missing. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  const sessionToken = env["AWS_SESSION_TOKEN"];
  const region = url.searchParams.get("region") ?? env["AWS_REGION"];
  const endpoint = url.searchParams.get("endpoint") ?? env["AWS_ENDPOINT_URL_S3"];
  const keyPrefix = url.pathname.slice(1);
  return s3Store({
    ...options,
    bucket: url.hostname,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    ...(region && { region }),
    ...(endpoint && { endpoint }),
    ...(keyPrefix && { keyPrefix: keyPrefix.endsWith("/") ? keyPrefix : `${keyPrefix}/` }),
  });
}

function fileOf(url: string): string {
  const file = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
  if (file !== "" && !file.includes("\0")) return file;
  throw new StoreError("ARGUMENT_INVALID", "store 'sqlite'", "the URL has no file");
}

function checked(url: string): URL {
  try {
    return new URL(url);
  } catch {
    // The cause would contain the URL, and the URL may contain a password.
    throw new StoreError("ARGUMENT_INVALID", "store", `the URL is not valid. Use ${FORMS}`);
  }
}
