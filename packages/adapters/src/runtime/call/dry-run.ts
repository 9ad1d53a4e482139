import { overlay } from "@wink/filesystem";
import type { ApprovalQuestion, PolicyCall } from "@wink/prompt";
import { Session } from "@wink/session";

/** A patch of more characters is not shown. */
const MAX_PATCH_CHARACTERS = 1_000_000;

/** What a call would change. */
export type DryRun = Pick<ApprovalQuestion, "patch" | "paths">;

/**
 * Runs the handler of a call on a copy of the files with an empty session, if its tool allows that. Nothing is changed.
 * Resolves to an empty object if the tool does not allow it or the call would fail.
 */
export async function dryRun({ tool, input, context }: PolicyCall): Promise<DryRun> {
  const { filesystem } = tool;
  if (tool.files?.dryRun !== true || filesystem === undefined) return {};
  try {
    const copy = overlay(filesystem);
    const trial = { ...context, filesystem: copy, session: new Session() };
    const result = await tool.handler(structuredClone(input), trial);
    if (!result.success) return {};
    const changes = await copy.changes();
    const paths = changes.files.flatMap(({ path, oldPath }) =>
      oldPath === undefined ? [path] : [oldPath, path],
    );
    const patch = await changes.toPatch();
    return patch.length > MAX_PATCH_CHARACTERS ? { paths } : { paths, patch };
  } catch {
    context.signal.throwIfAborted();
    // The call itself reports the problem to the model.
    return {};
  }
}
