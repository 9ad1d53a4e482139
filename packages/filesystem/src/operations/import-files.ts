import type { VirtualPath } from "../path/virtual-path.js";
import { isPromise } from "../protocol/maybe-promise.js";
import { TimeSlices } from "../search/walk/time-slices.js";
import type { Target } from "./target.js";
import type { Workspace } from "./workspace.js";
import { requireChangeable, requireCreatable } from "./write-rules.js";

/** A file or an empty directory to be put where nothing is. Its parent is there, or comes before it. */
export interface ImportedNode {
  readonly path: VirtualPath;
  /** What is in the file; a directory has none. The bytes are taken over. */
  readonly bytes?: Uint8Array | undefined;
  readonly executable?: boolean | undefined;
}

/** Puts many files in place for little more than their bytes. What they need is checked for all of them first. */
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
    requireChangeable(workspace, target);
    requireCreatable(workspace, target, node.path);
    const sizeBytes = node.bytes?.length ?? 0;
    bytes += sizeBytes;
    largest = Math.max(largest, sizeBytes);
  }
  const [first] = nodes;
  if (first === undefined) return;
  const growth = { bytes, nodes: nodes.length };
  await usage.requireRoom(targetOfImport(first), growth, largest);
  const slices = new TimeSlices(signal);
  for (const { path, bytes: content, executable } of nodes) {
    const placed = content
      ? driver.write(path, content, "create", { executable })
      : driver.mkdir(path);
    if (isPromise<unknown>(placed)) await placed;
    if (slices.spend()) await slices.pause();
  }
  usage.grew(growth);
}

function targetOfImport({ path }: ImportedNode): Target {
  return { operation: "import", given: path, path, namesDirectory: false };
}
