import { TimeSlices } from "../content/time-slices.js";
import type { DriverWriteOptions } from "../driver/driver.js";
import type { VirtualPath } from "../path/virtual-path.js";
import { isPromise } from "../protocol/maybe-promise.js";
import type { Target, Workspace } from "./workspace.js";
import { requireChangeable } from "./write-rules.js";

/** A file, a link or, without `bytes`, an empty directory to create. Its parent exists or comes before it. */
interface ImportedNode extends Omit<DriverWriteOptions, "isOwned" | "signal"> {
  readonly path: VirtualPath;
  readonly bytes?: Uint8Array | undefined;
}

/** Creates many files with little overhead. Checks all of them before it writes the first. */
export async function importFiles(
  workspace: Workspace,
  nodes: readonly ImportedNode[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { driver, usage } = workspace;
  let bytes = 0;
  let largest = 0;
  for (const node of nodes) {
    const target = targetOfImport(node);
    // The limits of names are for tools. Files that exist are imported whatever their name.
    requireChangeable(workspace, target);
    const sizeBytes = node.kind === "symlink" ? 0 : (node.bytes?.length ?? 0);
    bytes += sizeBytes;
    largest = Math.max(largest, sizeBytes);
  }
  const [first] = nodes;
  if (first === undefined) return;
  const growth = { bytes, nodes: nodes.length };
  await usage.requireRoom(targetOfImport(first), growth, largest);
  const slices = new TimeSlices(signal);
  for (const { path, bytes: content, executable, kind, permissions, modifiedAtMs } of nodes) {
    const options = { executable, kind, permissions, modifiedAtMs, isOwned: true, signal };
    const placed = content
      ? driver.write(path, content, "create", options)
      : driver.mkdir(path, { signal });
    if (isPromise<unknown>(placed)) await placed;
    if (slices.spend()) await slices.pause();
  }
  // Last, because adding a node changes the time of its directory.
  for (const { path, bytes: content, permissions, modifiedAtMs } of nodes.toReversed()) {
    if (content !== undefined || (permissions ?? modifiedAtMs) === undefined) continue;
    const set = driver.mkdir(path, { permissions, modifiedAtMs, signal });
    if (isPromise<unknown>(set)) await set;
  }
  usage.grew(growth);
}

function targetOfImport({ path }: ImportedNode): Target {
  return { operation: "import", given: path, path, namesDirectory: false, options: {} };
}
