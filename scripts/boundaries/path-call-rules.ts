import type { PathCall } from "./scan-path-calls.js";

/** An allowed call by path. */
export interface PathCallGrant {
  /** From the root of the clone. */
  readonly file: string;
  /** The name in `node:fs`, without `Sync`. */
  readonly call: string;
  /** Why no agent can redirect the call to another place. */
  readonly reason: string;
}

/** Finds the calls by path in one file that no grant allows. */
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
        "Use a name in an open directory (pathOf), a descriptor or removeHostTree; or add the call with its reason to scripts/boundaries/path-calls.ts.",
    );
}

/** Finds grants that no call needs. */
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
