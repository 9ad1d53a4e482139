import { checkValue } from "../define/check-value.js";
import { ItemList } from "../define/item-list.js";
import { freezeData } from "../define/plain-data.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import type { AnySliceToken } from "./reduce-slice.js";

/** A slice in JSON form, before its definition has migrated and checked it. */
export interface StoredSlice {
  readonly version: number;
  readonly items: readonly unknown[];
}

/** Reads a stored slice with the definition's migration and schema. */
export function readStoredSlice(token: AnySliceToken, stored: StoredSlice): ItemList<unknown> {
  const subject = `slice '${token.name}'`;
  if (token.kind === "value" && stored.items.length > 1)
    throw new SessionError("SNAPSHOT_INVALID", subject, "a state must have at most one value");
  checkVersion(token, stored.version, subject);
  return ItemList.of(
    stored.items.map((item, index) => {
      const root = `items[${index}]`;
      const migrated = freezeData(migrate(token, item, stored.version, subject), subject, root);
      return checkValue(token.schema, migrated, { subject, root, code: "SNAPSHOT_INVALID" });
    }),
  );
}

function checkVersion(token: AnySliceToken, version: number, subject: string): void {
  if (version === token.version) return;
  if (version > token.version)
    throw new SessionError(
      "SLICE_VERSION",
      subject,
      `it was stored as version ${version}, which is newer than the defined version ${token.version}. Update the program`,
    );
  if (!token.migrate)
    throw new SessionError(
      "SLICE_VERSION",
      subject,
      `it was stored as version ${version}, and the definition of version ${token.version} has no migrate. Add one`,
    );
}

function migrate(token: AnySliceToken, item: unknown, from: number, subject: string): unknown {
  if (from === token.version || !token.migrate) return item;
  try {
    return token.migrate(item, from);
  } catch (cause) {
    if (isSessionError(cause)) throw cause;
    throw new SessionError("MIGRATION_FAILED", subject, undefined, { cause });
  }
}
