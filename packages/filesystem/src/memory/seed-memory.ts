import { describeKind } from "@wink/store/internal";
import { normalizePath } from "../path/normalize-path.js";
import { parentPath, type VirtualPath } from "../path/virtual-path.js";
import { FilesystemError, invalidArgument } from "../protocol/filesystem-error.js";
import { memoryDriver } from "./memory-driver.js";
import type { MemoryTree } from "./memory-tree.js";

export interface SeedOptions {
  readonly clock: () => number;
  readonly mountPoint: string | undefined;
}

/** Writes the initial files. The owner of the tree does this, so quotas and limits do not apply. */
export function seedMemory(
  tree: MemoryTree,
  files: Readonly<Record<string, string | Uint8Array>>,
  { clock, mountPoint }: SeedOptions,
): void {
  if (typeof files !== "object" || files === null)
    throw invalidArgument("open", `files must be an object, got ${describeKind(files)}`);
  const driver = memoryDriver(tree, clock);
  for (const [given, content] of Object.entries(files)) {
    const { path, namesDirectory } = normalizePath(given, { operation: "write", mountPoint });
    if (path === "" || namesDirectory || tree.find(path)?.kind === "directory")
      throw new FilesystemError("EISDIR", { operation: "write", path: given });
    addDirectories(tree, parentPath(path), given, clock);
    if (typeof content === "string" && !content.isWellFormed())
      throw new FilesystemError("EINVAL", {
        operation: "write",
        path: given,
        reason: "content is not Unicode text",
      });
    if (typeof content !== "string" && !(content instanceof Uint8Array))
      throw new FilesystemError("EINVAL", {
        operation: "write",
        path: given,
        reason: `content must be a string or a Uint8Array, got ${describeKind(content)}`,
      });
    if (typeof content === "string")
      driver.accelerate.writeText(
        path,
        content,
        new TextEncoder().encode(content).length,
        "overwrite",
        {},
      );
    else driver.write(path, content, "overwrite", {});
  }
}

function addDirectories(
  tree: MemoryTree,
  path: VirtualPath,
  given: string,
  clock: () => number,
): void {
  const node = tree.find(path);
  if (node?.kind === "directory") return;
  if (node !== undefined) throw new FilesystemError("ENOTDIR", { operation: "write", path: given });
  addDirectories(tree, parentPath(path), given, clock);
  tree.addDirectory(path, clock());
}
