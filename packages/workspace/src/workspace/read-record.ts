import { existsSync, readFileSync } from "node:fs";
import { readOldRecord } from "./old-record.js";
import type { WorkspacePlace } from "./workspace-place.js";
import { unreadable, VERSION, type WorkspaceRecord } from "./workspace-record.js";

/** Reads the record, or converts a record of the first version. `undefined` if there is no workspace. */
export function readRecord(place: WorkspacePlace): WorkspaceRecord | undefined {
  if (!existsSync(place.record)) return readOldRecord(place);
  let record: WorkspaceRecord;
  try {
    record = JSON.parse(readFileSync(place.record, "utf8"));
  } catch (cause) {
    throw unreadable("its record is damaged", cause);
  }
  if (record?.version !== VERSION)
    throw unreadable(`its format has version ${record?.version}, and this is version ${VERSION}`);
  return record;
}
