import { randomBytes } from "node:crypto";
import { isStoreUrl } from "@wink/store/url";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { placeUrl } from "../workspace/place-url.js";
import { findLastRun } from "./list-stored-runs.js";

/** A run in a store that a command names. */
export interface FoundStoredRun {
  readonly url: string;
  readonly id: string;
  /** `<store-url>#<id>`, for `readRun` and others. */
  readonly source: string;
}

/**
 * Finds the run that a command names as `<store-url>#<id>`, or by its id together with `--store`. Without a name it is
 * the last run in the store. `undefined` if neither names a store.
 */
export async function findStoredRun(
  io: Io,
  store: string | undefined,
  name: string | undefined,
): Promise<FoundStoredRun | undefined> {
  const at = name !== undefined && isStoreUrl(name) ? name.lastIndexOf("#") : -1;
  if (name !== undefined && at >= 0) return found(io, name.slice(0, at), name.slice(at + 1));
  if (store === undefined) return undefined;
  const id = name ?? (await findLastRun(io, store));
  if (id !== undefined) return found(io, store, id);
  throw new CliError("The store has no runs.", { exitCode: EXIT_CODES.usage });
}

function found(io: Io, given: string, id: string): FoundStoredRun {
  const url = placeUrl(given, io.cwd);
  return { url, id, source: `${url}#${id}` };
}

/** A new id. Ids sort by time. */
export function newRunId(): string {
  const time = new Date()
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, "")
    .replace("T", "-");
  return `${time}-${randomBytes(3).toString("hex")}`;
}
