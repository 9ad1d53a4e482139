import { snapshotCreateHandlerFor } from "./snapshot-create.js";
import { snapshotDiffHandlerFor } from "./snapshot-diff.js";
import { snapshotListHandlerFor } from "./snapshot-list.js";
import { snapshotRestoreHandlerFor } from "./snapshot-restore.js";
import { defaultSnapshotSettings } from "./snapshot-settings.js";

/* The handlers without a section, with the defaults: for tests and for your own tools. */
const settings = defaultSnapshotSettings();
export const snapshotCreateHandler = snapshotCreateHandlerFor(settings);
export const snapshotListHandler = snapshotListHandlerFor(settings);
export const snapshotRestoreHandler = snapshotRestoreHandlerFor(settings);
export const snapshotDiffHandler = snapshotDiffHandlerFor(settings);
