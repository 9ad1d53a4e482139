import { ESCAPE_HIGH_SURROGATE, isShownName, pathBytes } from "../path/host-name.js";
import type { CallOptions, SymlinkOptions } from "../protocol/filesystem.js";
import { findNode, whyMissing } from "./find-node.js";
import { missingParents, withParents } from "./make-directory.js";
import { MAX_LINK_BYTES, readTarget } from "./resolve-links.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import { requireChangeable, requireCreatable } from "./write-rules.js";

/** Creates a link. The target is stored and not resolved. */
export async function createLink(
  workspace: Workspace,
  target: Target,
  linkTarget: string,
  { createParents = true, signal }: SymlinkOptions,
): Promise<void> {
  const { driver, usage } = workspace;
  requireChangeable(workspace, target);
  const bytes = targetBytes(target, linkTarget);
  if (target.path === "") throw failure(target, "EEXIST");
  const stat = await driver.stat(target.path, target.options);
  if (stat !== undefined) throw failure(target, "EEXIST");
  if (target.namesDirectory) throw failure(target, "ENOTDIR");
  requireCreatable(workspace, target, target.path);
  if (!driver.stores?.includes("links"))
    throw failure(target, "EINVAL", "this backend cannot store symbolic links");
  const missing = await missingParents(workspace, target, createParents);
  const growth = { bytes: 0, nodes: missing.length + 1 };
  await usage.requireRoom(target, growth, 0);
  await withParents(workspace, target, missing, async () =>
    driver.write(target.path, bytes, "create", { kind: "symlink", signal }),
  );
  usage.grew(growth);
}

export async function readLink(workspace: Workspace, target: Target): Promise<string> {
  const stat = await workspace.driver.stat(target.path, target.options);
  if (stat === undefined) throw await whyMissing(workspace, target);
  if (stat.kind !== "symlink" || target.namesDirectory)
    throw failure(target, "EINVAL", "it is not a symbolic link");
  return await readTarget(workspace, target, target.path);
}

export async function realPath(
  workspace: Workspace,
  target: Target,
  _options: CallOptions,
): Promise<string> {
  return (await findNode(workspace, target)).path;
}

function targetBytes(target: Target, linkTarget: string): Uint8Array {
  if (typeof linkTarget !== "string" || linkTarget === "")
    throw failure(target, "EINVAL", "the target of a link must be a string that is not empty");
  if (!linkTarget.isWellFormed() || linkTarget.includes("\0"))
    throw failure(target, "EINVAL", "the target of a link is not valid Unicode text");
  const isEscaped = linkTarget.includes(ESCAPE_HIGH_SURROGATE);
  if (isEscaped && !linkTarget.split("/").every(isShownName))
    throw failure(target, "EINVAL", "the target contains a reserved character");
  const bytes = pathBytes(linkTarget);
  if (bytes.length >= MAX_LINK_BYTES)
    throw failure(target, "EINVAL", `the target has more than ${MAX_LINK_BYTES - 1} bytes`);
  return bytes;
}
