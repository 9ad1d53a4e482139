import type { RenderedTool, ToolAccess } from "@wink/prompt";
import type { Session } from "@wink/session";
import { resourceOf } from "../transaction/call-resource.js";
import type { CallScope, Wanted } from "../transaction/call-scope.js";
import { changesFiles } from "../transaction/call-transaction.js";

/**
 * A tool with this property starts with shared locks, works on a fork, and asks for exclusive
 * access when it merges.
 */
export const FORKS_FIRST = Symbol.for("wink.adapters.forks-first");

/** The access with which a call starts. */
export function firstAccess(tool: RenderedTool & { readonly [FORKS_FIRST]?: boolean }): ToolAccess {
  return tool[FORKS_FIRST] === true ? "read" : tool.access;
}

/** The locks of a call. Readers share them, and a tool that changes the session may share files. */
export function locksOf(tool: RenderedTool, session: Session): readonly Wanted[] {
  const access = firstAccess(tool);
  const state = access === "read" ? "shared" : "exclusive";
  const wanted: Wanted = { resource: resourceOf(session), mode: state };
  if (tool.filesystem === undefined) return [wanted];
  const files = changesFiles(access) ? "exclusive" : "shared";
  return [wanted, { resource: resourceOf(tool.filesystem), mode: files }];
}

/** Why a nested call is refused: it would change what the outer call holds only for reading. */
export function refusalInside(
  outer: CallScope | undefined,
  { access, name, filesystem }: RenderedTool,
  session: Session,
): string | undefined {
  const isRead = (target: object) => outer?.modeOf(resourceOf(target)) === "shared";
  if (changesFiles(access) && filesystem !== undefined && isRead(filesystem))
    return `${name} changes files, so a read-only tool cannot run it.`;
  if (access !== "read" && isRead(session))
    return `${name} changes the session, so a read-only tool cannot run it.`;
  return undefined;
}
