import type { Cut, GlobMatch, GlobOptions, GrepOptions, GrepResult } from "../filesystem.js";
import { failure, type Target } from "./target.js";
import type { Workspace } from "./workspace.js";

export async function globWorkspace(
  _w: Workspace,
  target: Target,
  _p: string,
  _o: GlobOptions,
): Promise<Cut<GlobMatch>> {
  throw failure(target, "EIO");
}
export async function grepWorkspace(
  _w: Workspace,
  target: Target,
  _p: string,
  _o: GrepOptions,
): Promise<GrepResult> {
  throw failure(target, "EIO");
}
