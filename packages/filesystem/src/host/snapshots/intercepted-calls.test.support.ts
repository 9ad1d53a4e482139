import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** The calls of `node:fs` with which this package changes the disk. */
const CHANGING = [
  ...[
    "openSync",
    "writeSync",
    "writeFileSync",
    "renameSync",
    "unlinkSync",
    "linkSync",
    "symlinkSync",
  ],
  ...[
    "mkdirSync",
    "rmdirSync",
    "chmodSync",
    "fchmodSync",
    "ftruncateSync",
    "fsyncSync",
    "copyFileSync",
  ],
] as const;

type Call = (...args: readonly unknown[]) => unknown;

/** Called for each changing call with its number from 1, its name, its arguments and the original function. */
export type OnCall = (
  number: number,
  name: string,
  args: readonly unknown[],
  proceed: Call,
) => unknown;

/** Lets `onCall` handle every changing call of this process. Call the result to stop that. */
export function interceptCalls(onCall: OnCall): () => void {
  // The members of the module object can be replaced for all importers.
  const members = fs as unknown as Record<string, Call>;
  const originals = new Map<string, Call>();
  let count = 0;
  for (const name of CHANGING) {
    const original = members[name];
    if (original === undefined) continue;
    originals.set(name, original);
    members[name] = (...args) => {
      if (name === "openSync" && !creates(args)) return original(...args);
      return onCall(++count, name, args, original);
    };
  }
  syncBuiltinESMExports();
  return () => {
    for (const [name, original] of originals) members[name] = original;
    syncBuiltinESMExports();
  };
}

function creates([, flags]: readonly unknown[]): boolean {
  if (typeof flags === "number") return (flags & fs.constants.O_CREAT) !== 0;
  return typeof flags === "string" && /[wa]/.test(flags);
}

/** Does half of a write, like a process that is killed in the middle. */
export function writeHalf(args: readonly unknown[], write: Call): void {
  const [fd, bytes, offset, length] = args as [number, Uint8Array | PathLike, number?, number?];
  if (!(bytes instanceof Uint8Array)) return;
  const half = Math.floor((length ?? bytes.length) / 2);
  if (half > 0) write(fd, bytes, offset ?? 0, half);
}
