import { realpathSync } from "node:fs";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import { fromNodeError } from "../process/from-node-error.js";
import { type Containment, platformContainment } from "./containment.js";
import { networkFilesystem } from "./filesystem-kind.js";
import { HostRoot } from "./host-root.js";
import { probeContainment } from "./probe-containment.js";

export interface OpenHostRootOptions {
  /**
   * What to do where links cannot be refused against somebody who changes the tree at the
   * same time (macOS). `allow` only when nobody does: no container, no shell. @default "refuse"
   */
  readonly weakContainment?: "refuse" | "allow" | undefined;
  /**
   * What to do on NFS, SMB and the like, where renames are not atomic for everybody and times are
   * coarse. `allow` goes ahead with a warning. @default "refuse"
   */
  readonly networkFilesystem?: "refuse" | "allow" | undefined;
  /** @default what the platform has */
  readonly containment?: Containment | undefined;
}

/** Opens a directory to be worked in, after a look at whether that is safe here. */
export function openHostRoot(directory: string, options: OpenHostRootOptions = {}): HostRoot {
  const containment = options.containment ?? platformContainment();
  const missing = containment
    ? probe(containment)
    : `${process.platform} has no way to refuse links`;
  if (containment === undefined || missing !== undefined) throw refused(missing ?? "");
  if (!containment.raceProof && options.weakContainment !== "allow")
    throw refused(`${containment.name} alone does not hold against concurrent changes`);
  try {
    // Links on the way to the root are the owner's business, and followed this once.
    const path = realpathSync(directory);
    requireLocal(path, options);
    return new HostRoot(path, containment);
  } catch (error) {
    throw fromNodeError(error, "open", ".");
  }
}

function probe(containment: Containment): string | undefined {
  try {
    return probeContainment(containment);
  } catch (error) {
    throw new FilesystemError("EIO", {
      operation: "open",
      path: ".",
      reason: "no temporary directory to try out whether links are refused",
      cause: error,
    });
  }
}

function requireLocal(path: string, options: OpenHostRootOptions): void {
  const network = networkFilesystem(path);
  if (network === undefined) return;
  const risk = `the workspace is on ${network}, where writes are not atomic for everybody`;
  if (options.networkFilesystem !== "allow") throw refused(risk);
  process.emitWarning(risk, { code: "WINK_NETWORK_FILESYSTEM" });
}

function refused(reason: string): FilesystemError {
  return new FilesystemError("EACCES", { operation: "open", path: ".", reason });
}
