import { checkValue } from "../define/check-value.js";
import { ItemList } from "../define/item-list.js";
import { freezeData } from "../define/plain-data.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import type { AnySliceToken } from "./reduce-slice.js";

/** A slice as JSON has it, not yet read by a definition. */
export interface StoredSlice {
  readonly version: number;
  readonly items: readonly unknown[];
}

/** Reads a stored slice through the definition's migration and schema. */
export function readStoredSlice(token: AnySliceToken, stored: StoredSlice): ItemList<unknown> {
  const subject = `slice '${token.name}'`;
  if (token.kind === "value" && stored.items.length > 1)
    throw new SessionError("snapshot_invalid", { subject, reason: "a state has one value" });
  checkVersion(token, stored.version, subject);
  return ItemList.of(
    stored.items.map((item, index) => {
      const root = `items[${index}]`;
      const migrated = freezeData(migrate(token, item, stored.version, subject), subject, root);
      return checkValue(token.schema, migrated, { subject, root, code: "snapshot_invalid" });
    }),
  );
}

function checkVersion(token: AnySliceToken, version: number, subject: string): void {
  if (version === token.version) return;
  if (version > token.version)
    throw new SessionError("slice_version", {
      subject,
      reason: `it was stored as version ${version}, newer than version ${token.version} that is defined`,
    });
  if (!token.migrate)
    throw new SessionError("slice_version", {
      subject,
      reason: `it was stored as version ${version}, and version ${token.version} has no migrate`,
    });
}

function migrate(token: AnySliceToken, item: unknown, from: number, subject: string): unknown {
  if (from === token.version || !token.migrate) return item;
  try {
    return token.migrate(item, from);
  } catch (cause) {
    if (isSessionError(cause)) throw cause;
    throw new SessionError("migration_failed", { subject, cause });
  }
}
