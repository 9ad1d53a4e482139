import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { describeKind } from "@wink/store/internal";
import { FilesystemError, invalidArgument } from "../../protocol/filesystem-error.js";
import { requireHostPath } from "../process/check-arguments.js";
import { fromNodeError } from "../process/from-node-error.js";
import { type Containment, platformContainment } from "./containment.js";
import { networkFilesystem } from "./filesystem-kind.js";
import { HostRoot } from "./host-root.js";
import { probeContainment } from "./probe-containment.js";

export interface OpenHostRootOptions {
  /**
   * What to do on a platform that cannot refuse links while other processes change the tree (macOS). Use `allow`
   * only if no other process changes it: no container, no shell. @default "refuse"
   */
  readonly weakContainment?: "refuse" | "allow" | undefined;
  /**
   * What to do on NFS, SMB and similar filesystems, where renames are not atomic for other clients and timestamps
   * are coarse. `allow` continues with a warning. @default "refuse"
   */
  readonly networkFilesystem?: "refuse" | "allow" | undefined;
  /** @default the containment of the platform */
  readonly containment?: Containment | undefined;
}

/**
 * Opens a workspace directory after checking that the platform and the filesystem are safe. Throws a `FilesystemError`,
 * with the name of a directory that does not exist.
 */
export function openHostRoot(directory: string, options: OpenHostRootOptions = {}): HostRoot {
  requireHostPath(directory, "open");
  if (typeof options !== "object" || options === null)
    throw invalidArgument("open", `options must be an object, got ${describeKind(options)}`);
  const containment = options.containment ?? platformContainment();
  const missing = containment
    ? probe(containment)
    : `${process.platform} cannot refuse symbolic links`;
  if (containment === undefined || missing !== undefined) throw refused(missing ?? "");
  if (!containment.raceProof && options.weakContainment !== "allow")
    throw refused(
      `${containment.name} does not protect against concurrent changes; if no other process changes the directory, set weakContainment: "allow"`,
    );
  try {
    // Links in the path of the root itself are followed, once: the owner chose them.
    const path = realpathSync(directory);
    requireLocal(path, options);
    return new HostRoot(path, containment);
  } catch (error) {
    // Only its name: the path of a host directory must not reach a model.
    throw fromNodeError(error, "open", basename(directory) || "/");
  }
}

function probe(containment: Containment): string | undefined {
  try {
    return probeContainment(containment);
  } catch (error) {
    throw new FilesystemError("EIO", {
      operation: "open",
      path: ".",
      reason: "cannot create a temporary directory to test that links are refused",
      cause: error,
    });
  }
}

function requireLocal(path: string, options: OpenHostRootOptions): void {
  const network = networkFilesystem(path);
  if (network === undefined) return;
  const risk = `the workspace is on ${network}, where writes are not atomic for other clients`;
  if (options.networkFilesystem !== "allow")
    throw refused(`${risk}; to use it anyway, set networkFilesystem: "allow"`);
  process.emitWarning(risk, { code: "WINK_NETWORK_FILESYSTEM" });
}

function refused(reason: string): FilesystemError {
  return new FilesystemError("EACCES", { operation: "open", path: ".", reason });
}
