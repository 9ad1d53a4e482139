import type { FileStat } from "@wink/filesystem";
import { isFilesystemError } from "@wink/filesystem";
import { checkOptions, requireMember } from "../error/check-options.js";
import {
  allow,
  deny,
  type PolicyCall,
  type PolicyDecision,
  type ToolPolicy,
} from "../protocol/policy.js";
import type { PlannedChange } from "../protocol/tool-files.js";
import { removalsOf } from "../tool/declared-files.js";
import { type KnownFile, ReadLedger } from "./read-ledger.js";

/**
 * Lets a call change an existing file only if the model has seen its current content: all of it for
 * a replacement, a part for an edit.
 *
 * It compares content revisions, not times. It resolves paths with the filesystem's `stat`, so a
 * different spelling of the path does not bypass it. It relies on the tool's `files` declaration
 * and does not check tools without one. In a workspace section it applies to every tool that uses
 * the section's files, wherever the tool is defined.
 */
export function readBeforeWrite(
  options: {
    /** Whether a file must be read before it is deleted or moved. @default false */
    readonly removals?: boolean;
  } = {},
): ToolPolicy {
  checkOptions("readBeforeWrite", options, ["removals"]);
  const { removals = false } = options;
  return Object.freeze({
    name: "read-before-write",
    guardsFiles: true,
    slices: [ReadLedger],

    async check(call: PolicyCall): Promise<PolicyDecision> {
      requireMember("readBeforeWrite", call, "changes", "the result of policyCall()");
      const removed = removals ? removalsOf(call.tool, call.input) : [];
      for (const change of [
        ...call.changes,
        ...removed.map((path): PlannedChange => ({ path, extent: "part" })),
      ]) {
        const decision = await judge(change, call);
        if (!decision.allowed) return decision;
      }
      return allow();
    },
  });
}

async function judge({ path, extent }: PlannedChange, call: PolicyCall): Promise<PolicyDecision> {
  const stat = await describe(path, call);
  if (stat === "missing") return allow();
  if (!isStat(stat)) return deny(stat.refused);
  // A directory has no content. The call itself reports the problem.
  if (stat.revision === undefined) return allow();
  const known = call.context.session
    .slice(ReadLedger)
    .where((file) => file.workspace === call.tool.workspace && file.path === stat.path)[0];
  const how = readingTool(call);
  if (known === undefined)
    return deny(`'${stat.path}' exists and you have not read it. Read it first${how}.`);
  if (known.revision !== stat.revision)
    return deny(
      `'${stat.path}' was changed by another program since you read it. Read it again first${how}.`,
    );
  if (extent !== "part" && !known.complete)
    return deny(
      `You have read ${describeRanges(known)} of '${stat.path}', and this would replace all of it. Read the rest first${how}, or change a part.`,
    );
  return allow();
}

type Description = FileStat | "missing" | { readonly refused: string };

/**
 * Stats the path. If the filesystem refuses the path, the policy denies the call with the same
 * message.
 */
async function describe(path: string, { context }: PolicyCall): Promise<Description> {
  try {
    return await context.filesystem.stat(path, { signal: context.signal });
  } catch (error) {
    if (isFilesystemError(error, "ENOENT")) return "missing";
    if (isFilesystemError(error)) return { refused: error.message };
    throw error;
  }
}

function isStat(description: Description): description is FileStat {
  return typeof description === "object" && !("refused" in description);
}

/** Names the tool that reads files of the same workspace, if the prompt has one. */
function readingTool({ tool, context }: PolicyCall): string {
  const reader = context.renderedPrompt?.tools.find(
    ({ access, files, workspace }) =>
      access === "read" && files?.views !== undefined && workspace === tool.workspace,
  );
  return reader ? ` with ${reader.name}` : "";
}

function describeRanges({ ranges }: KnownFile): string {
  const lines = ranges
    .filter(([from, to]) => to > from)
    .map(([from, to]) => (to === from + 1 ? `${to}` : `${from + 1}–${to}`));
  return lines.length === 0 ? "only a part" : `only lines ${lines.join(", ")}`;
}
