import { resolve } from "node:path";
import { StoredFilesystem } from "@wink/filesystem";
import { mountHost } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { count, size } from "../view/amounts.js";
import { showCopying } from "../view/show-copying.js";
import { mountOf, realDirectory } from "./directory-mount.js";
import { withStore } from "./stored-runs.js";

export interface ImportOptions {
  readonly store: string;
  readonly workspace: string;
  readonly rev?: string;
  readonly includeSecrets?: true;
  readonly includeIgnored?: true;
}

export interface ImportReport {
  readonly id: string;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly leftOut: number;
}

/** Copies a directory into a store once, so that runs can start with its files. */
export async function importFiles(
  io: Io,
  id: string,
  { store: url, workspace, rev, includeSecrets, includeIgnored }: ImportOptions,
  signal: AbortSignal,
): Promise<ImportReport> {
  const root = await realDirectory(io, resolve(io.cwd, workspace));
  return await withStore(io, url, async (store) => {
    if ((await store.read(id)) !== undefined)
      throw new CliError(`The store has ${id} already.`, {
        exitCode: EXIT_CODES.refused,
        hint: "Choose another id, or delete it with `wink runs delete`.",
      });
    try {
      await using filesystem = await StoredFilesystem.open(store, id, { signal });
      const filter = { includeSecrets, includeIgnored };
      const mount = rev === undefined ? mountOf(filter) : { hostPath: ".", git: { rev } };
      const { report } = await mountHost(filesystem, [mount], {
        ...{ allowedHostRoots: [root], onProgress: showCopying(io.status), signal },
        trackChanges: false,
      });
      const { fileCount, totalBytes, leftOut } = report;
      return { id, fileCount, totalBytes, leftOut: leftOut.length };
    } catch (error) {
      await store.delete(id);
      throw error;
    } finally {
      io.status.clear();
    }
  });
}

export function renderImport({ id, fileCount, totalBytes, leftOut }: ImportReport): string {
  const rest = leftOut === 0 ? "" : `, ${leftOut} left out`;
  return `${count(fileCount, "file")} (${size(totalBytes)}) in the store as ${id}${rest}.`;
}
