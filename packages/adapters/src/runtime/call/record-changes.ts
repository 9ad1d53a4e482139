import type { PathChange } from "@wink/filesystem";
import type { RenderedTool } from "@wink/prompt";
import { type ChangedFile, ChangeFile } from "@wink/prompt/adapter";
import { resourceOf } from "../transaction/call-resource.js";
import type { CallTransaction } from "../transaction/call-transaction.js";
import { withMentioned, withModes } from "./mentioned-changes.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";

/**
 * Dispatches a `files.change` for each changed path of a call that no event of the call describes,
 * and stores the contents.
 *
 * Call it when the handler can change nothing any more, before the commit.
 */
export async function recordChanges(
  tool: RenderedTool,
  transaction: CallTransaction,
  { session, call, rendered }: Pick<RunToolCallOptions, "session" | "call" | "rendered">,
): Promise<void> {
  const { ns, key } = rendered.prompt;
  const author = {
    workspace: tool.workspace.slice(tool.workspace.lastIndexOf("/") + 1),
    writer: `${ns}/${key}`,
    tool: tool.name,
    toolCallId: call.toolCallId,
  };
  const { contents } = resourceOf(session);
  const { chmodded, files, mentioned } = transaction;
  let changes = await transaction.changes();
  if (chmodded.size > 0) changes = await withModes(changes, chmodded, files);
  if (mentioned.size > 0) changes = await withMentioned(changes, mentioned, files);
  for (const change of changes) {
    const { described, bytes } = await describeChange(change, transaction);
    if (described.contentId !== undefined) await contents?.set(described.contentId, bytes);
    transaction.recordChange(change.path, ChangeFile({ ...author, ...described }));
  }
}

type Described = Omit<ChangedFile, "workspace" | "writer" | "tool" | "toolCallId">;

const NOTHING = new Uint8Array();

async function describeChange(
  { kind, path, after }: PathChange,
  transaction: CallTransaction,
): Promise<{ described: Described; bytes: Uint8Array }> {
  if (after === undefined) return { described: { kind, path }, bytes: NOTHING };
  const node = after.kind;
  if (node === "directory") {
    const mode = (after.mode ?? DIRECTORY_MODE) & PERMISSIONS;
    const described = { kind, path, node, ...(mode !== DIRECTORY_MODE && { mode }) };
    return { described, bytes: NOTHING };
  }
  const bytes = await after.read();
  const found = { kind, path, node, sizeBytes: bytes.length, contentId: await sha256(bytes) };
  if (node === "symlink") {
    const link = textOf(bytes);
    return { described: link === undefined ? found : { ...found, link }, bytes };
  }
  // A store of snapshots knows only whether a file is executable.
  const mode = (after.mode ?? (await transaction.files.stat(path)).mode) & PERMISSIONS;
  const revision = await transaction.revisionOf(path);
  const described = { ...found, mode, ...(revision === undefined ? {} : { revision }) };
  return { described, bytes };
}

const PERMISSIONS = 0o777;
const DIRECTORY_MODE = 0o755;

async function sha256(bytes: Uint8Array): Promise<string> {
  // A copy, because `digest` does not accept shared memory.
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes.slice()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
