import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type Call = (...args: never[]) => unknown;

/**
 * Calls `before` ahead of each call of the named functions of `node:fs`, until the returned function is called or
 * the test ends.
 */
export function interceptFs(
  names: readonly (keyof typeof fs)[],
  before: (name: string, args: readonly unknown[]) => void,
): () => void {
  const members = fs as unknown as Record<string, Call>;
  const originals = new Map(names.map((name) => [name as string, members[name] as Call]));
  for (const [name, original] of originals)
    members[name] = (...args) => {
      before(name, args);
      return original(...args);
    };
  syncBuiltinESMExports();
  const restore = () => {
    for (const [name, original] of originals) members[name] = original;
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  return restore;
}

/** An error like Node's, with a host path in its message. */
export function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: made to fail, open '${path}'`), { code, path });
}
