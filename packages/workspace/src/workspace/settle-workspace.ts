import { existsSync } from "node:fs";
import type { ChangeSet } from "@wink/filesystem";
import { isNeverApplied } from "../apply/never-applied.js";
import { settlePending } from "./apply-workspace.js";
import { copyWorkspace } from "./copy-workspace.js";
import { revertChanges } from "./merge-changes.js";
import { refreshWorkspace } from "./refresh-workspace.js";
import type { OpenWorkspaceOptions } from "./workspace-options.js";
import type { WorkspaceParts } from "./workspace-parts.js";

/**
 * Finishes or rolls back the work of a killed process, and copies the directory if it is new. Resolves when the files
 * are available, to a promise of a workspace that is also ready for comparisons.
 */
export async function settleWorkspace(
  parts: WorkspaceParts,
  options: OpenWorkspaceOptions,
): Promise<{ readonly ready: Promise<void> }> {
  const { include, exclude, includeSecrets, includeIgnored } = options;
  const given = { include, exclude, includeSecrets, includeIgnored };
  const isGiven = Object.values(given).some((value) => value !== undefined);
  const isSame = () => !isGiven || JSON.stringify(given) === JSON.stringify(parts.record.filter);
  const { phase, pending, inPlace } = parts.record;
  const isSettled = phase === "ready" && pending === null && !inPlace;
  if (isSettled && isSame() && existsSync(parts.place.record)) return { ready: Promise.resolve() };
  const release = await parts.lock.take();
  let isCopying = false;
  try {
    if (parts.record.phase !== "ready") {
      const { done } = await copyWorkspace(parts, isGiven ? given : parts.record.filter, options);
      isCopying = true;
      // The first comparison waits for the snapshot; the caller need not.
      const ready = done.finally(release);
      ready.catch(() => {});
      return { ready };
    }
    await settlePending(parts);
    if (parts.record.inPlace) await copyInPlaceResult(parts);
    if (isSame()) parts.save({});
    else await refreshWorkspace(parts, { filter: given });
    return { ready: Promise.resolve() };
  } finally {
    if (!isCopying) release();
  }
}

/** The directory has the result of a call whose transaction may have been rolled back by a kill. */
async function copyInPlaceResult(parts: WorkspaceParts): Promise<void> {
  const last = parts.record.applied.at(-1);
  parts.touched.add([...(last?.written ?? []), ...(last?.deleted ?? [])]);
  await revertChanges(parts, await compareWorkspace(parts, undefined));
  await refreshWorkspace(parts, {});
  parts.save({ inPlace: false });
}

/** One comparison: of the touched paths, or of everything if a program may have changed any path. */
export async function compareWorkspace(
  { host, touched, base }: WorkspaceParts,
  signal: AbortSignal | undefined,
): Promise<ChangeSet> {
  const paths = touched.read();
  const set = await host.diff(base, undefined, { signal, ...(paths && { paths }) });
  return await set.filter((path) => !isNeverApplied(path));
}
