import type { PathCall } from "./scan-path-calls.js";

/** A use of a path that may stay. */
export interface PathCallGrant {
  /** From the root of the clone. */
  readonly file: string;
  /** The name in `node:fs`, without `Sync`. */
  readonly call: string;
  /** Why no agent can lead the call to another place. */
  readonly reason: string;
}

/** What is wrong with the calls by path of one file. */
export function checkPathCalls(
  file: string,
  calls: readonly PathCall[],
  grants: readonly PathCallGrant[],
): readonly string[] {
  const granted = grants.filter((grant) => grant.file === file).map(({ call }) => call);
  return calls
    .filter(({ call }) => !granted.includes(call))
    .map(
      ({ call, line }) =>
        `${file}:${line} calls ${call} of node:fs with a path. A process that shares the directory can swap a part of the path for a link. ` +
        "Use a name in an open directory (pathIn), a descriptor or removeHostTree; or add the call with its reason to scripts/boundaries/path-calls.ts.",
    );
}

/** Grants that no call needs any more. */
export function checkPathCallGrants(
  used: ReadonlyMap<string, readonly PathCall[]>,
  grants: readonly PathCallGrant[],
): readonly string[] {
  return grants
    .filter(({ file, call }) => !used.get(file)?.some((each) => each.call === call))
    .map(
      ({ file, call }) =>
        `scripts/boundaries/path-calls.ts grants ${call} to ${file}, which does not call it.`,
    );
}
