import { isStoreUrl, openStore } from "@wink/store/url";
import { isStoredRun, type StoredRunSource } from "./store-head.js";

/** `<store-url>#<id>` in two parts, or `undefined` for anything else. */
export function parseStoredRun(source: string): { url: string; id: string } | undefined {
  const end = source.lastIndexOf("#");
  if (end < 0 || !isStoreUrl(source)) return undefined;
  return { url: source.slice(0, end), id: source.slice(end + 1) };
}

/** Opens the store that a source names, and closes it after the work. Other sources are passed on. */
export async function withStoredRun<T>(
  source: string | StoredRunSource,
  work: (source: string | StoredRunSource) => Promise<T>,
): Promise<T> {
  const named =
    isStoredRun(source) || typeof source !== "string" ? undefined : parseStoredRun(source);
  if (named === undefined) return await work(source);
  await using store = await openStore(named.url);
  return await work({ store, id: named.id });
}
