import { findOptionProblem } from "@wink/store/internal";
import { failure } from "./workspace.js";

/** The options of the calls on files. */
const FILE_OPTIONS = {
  read: ["signal", "offset", "limit", "encoding"],
  readBytes: ["signal", "offset", "limit"],
  exists: ["signal"],
  stat: ["signal", "followLinks"],
  readlink: ["signal"],
  realpath: ["signal"],
  contentId: ["signal"],
  list: ["signal", "offset", "limit", "details"],
  glob: ["signal", "path", "directories", "maxMatches"],
  grep: ["signal", "path", "glob", "maxMatches", "ignoreCase", "literal"],
  write: ["signal", "mode", "createParents", "ifRevision", "executable"],
  writeBytes: ["signal", "mode", "createParents", "ifRevision", "executable"],
  delete: ["signal", "recursive"],
  mkdir: ["signal", "parents", "existOk"],
  copy: ["signal", "overwrite", "createParents"],
  move: ["signal", "overwrite", "createParents"],
  symlink: ["signal", "createParents"],
  chmod: ["signal"],
  utimes: ["signal"],
  openRead: ["signal", "offset", "chunkBytes"],
  openWrite: ["signal", "mode", "createParents", "ifRevision", "executable"],
  openText: ["signal"],
  usage: ["signal"],
  import: ["signal"],
} as const;

/** The options of the calls on snapshots and transactions. */
const STATE_OPTIONS = {
  snapshot: ["signal", "tag", "name"],
  restore: ["signal"],
  diff: ["signal", "paths"],
  snapshots: ["signal"],
  deleteSnapshot: ["signal"],
  prune: ["signal", "maxAgeMs", "maxCount", "maxBytes", "keepNamed"],
  verify: ["signal"],
  exportSnapshot: ["signal"],
  importSnapshot: ["signal", "tag", "name"],
  fork: ["signal"],
  begin: ["signal", "full", "committedBy"],
  transact: ["signal", "full", "aroundRollback"],
  changes: [],
  commit: [],
  rollback: [],
  close: [],
} as const;

const OPTIONS: Readonly<Record<Operation, readonly string[]>> = {
  ...FILE_OPTIONS,
  ...STATE_OPTIONS,
};

export type Operation = keyof typeof FILE_OPTIONS | keyof typeof STATE_OPTIONS;

/** Whether a call is about snapshots or transactions. */
export function isStateOperation(operation: Operation): boolean {
  return operation in STATE_OPTIONS;
}

/** Refuses options that the types forbid but an untyped caller may pass. Returns the signal. */
export function checkOptions(
  operation: Operation,
  given: string,
  options: { readonly signal?: AbortSignal | undefined },
): AbortSignal | undefined {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw refusal(operation, given, options);
  for (const key in options)
    if (!OPTIONS[operation].includes(key)) throw refusal(operation, given, options);
  const { signal } = options;
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function")
    throw failure({ operation, given }, "EINVAL", "signal must be an AbortSignal");
  return signal;
}

function refusal(operation: Operation, given: string, options: unknown) {
  const problem = findOptionProblem(options, OPTIONS[operation]);
  return failure({ operation, given }, "EINVAL", problem ?? "options must be a plain object");
}
