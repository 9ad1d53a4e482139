import { writeFileSync } from "node:fs";
import type { HostRoot } from "../containment/host-root.js";
import type { HostFilesystemOptions } from "../driver/host-options.js";
import { unseenChangeMs } from "../driver/unseen-changes.js";
import { ObjectDatabase } from "../git-store/object-database.js";
import { SHA1 } from "../git-store/object-format.js";
import { RefFiles } from "../git-store/ref-files.js";
import { openLayout, rootKeyOf, type StoreLayout } from "../git-store/store-layout.js";
import { FullJournal } from "../journal/full-journal.js";
import { RestoreJournal } from "../journal/restore-journal.js";
import { ProcessLock } from "../process/process-lock.js";
import { takeToken } from "../process/process-token.js";
import { type CapturePolicyOptions, capturePolicy } from "./capture-policy.js";
import { SnapshotRegistry } from "./snapshot-registry.js";
import { StatCacheFile } from "./stat-cache.js";
import { WorkspaceRestorer } from "./workspace-restorer.js";
import { WorkspaceScanner } from "./workspace-scanner.js";

export interface SnapshotStoreOptions
  extends CapturePolicyOptions,
    Pick<HostFilesystemOptions, "fsync" | "otherWriters" | "storeDirectory" | "takesOver"> {
  /** The workspace path that snapshots report. @default the canonical path of the workspace */
  readonly rootPath?: string | undefined;
}

/** The parts of a store. */
export interface StoreParts {
  readonly layout: StoreLayout;
  readonly rootKey: string;
  readonly fsync: boolean;
  readonly objects: ObjectDatabase;
  readonly refs: RefFiles;
  readonly registry: SnapshotRegistry;
  readonly scanner: WorkspaceScanner;
  readonly restorer: WorkspaceRestorer;
  readonly journal: RestoreJournal;
  readonly fullJournal: FullJournal;
  /** Held while files are restored. */
  readonly workspaceLock: ProcessLock;
  /** Held while objects are removed. */
  readonly collectorLock: ProcessLock;
  readonly token: string;
  /** The file which marks that this process has the store open. */
  readonly session: string;
}

/** Opens the store of a workspace. @throws SnapshotError `INVALID_STORE` */
export function openStoreParts(root: HostRoot, options: SnapshotStoreOptions): StoreParts {
  const fsync = options.fsync ?? true;
  const policy = capturePolicy(options);
  const rootKey = rootKeyOf(root.path);
  const layout = openLayout(root.path, options.storeDirectory);
  const objects = new ObjectDatabase(layout.objects, { format: SHA1, fsync });
  const refs = new RefFiles(layout.directory, { format: SHA1, fsync });
  const rootPath = options.rootPath ?? root.path;
  const isTemporary = layout.removeTemporary !== undefined;
  const cache = isTemporary ? undefined : new StatCacheFile(`${layout.caches}/${rootKey}`);
  const generationPath = layout.generation;
  const unseenMs = unseenChangeMs(root.directory.prefix, options);
  const scanner = new WorkspaceScanner({
    root,
    rootKey,
    objects,
    policy,
    cache,
    unseenMs,
    generationPath,
  });
  const journal = new RestoreJournal(`${layout.journals}/${rootKey}`, SHA1, fsync);
  const token = takeToken();
  const session = `${layout.sessions}/${token}`;
  writeFileSync(session, "", { mode: 0o600 });
  return {
    layout,
    rootKey,
    fsync,
    objects,
    refs,
    registry: new SnapshotRegistry(objects, refs, { key: rootKey, path: rootPath }),
    scanner,
    restorer: new WorkspaceRestorer({ root, objects, scanner, journal, fsync }),
    journal,
    fullJournal: new FullJournal(`${layout.journals}/${rootKey}.transaction`, fsync),
    workspaceLock: new ProcessLock(`${layout.locks}/${rootKey}`),
    collectorLock: new ProcessLock(`${layout.locks}/collector`),
    token,
    session,
  };
}
