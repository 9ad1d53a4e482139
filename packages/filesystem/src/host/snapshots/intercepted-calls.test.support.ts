import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** The calls with which this package changes something on disk. */
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

/** Hears of each changing call: its number from 1, its name, its arguments, and how to let it happen. */
export type OnCall = (
  number: number,
  name: string,
  args: readonly unknown[],
  proceed: Call,
) => unknown;

/** Lets `onCall` decide about every changing call of this process until it is undone. */
export function interceptCalls(onCall: OnCall): () => void {
  // The module is an object like any other, whose members can be replaced for everybody.
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

/** Half of a write, which is what a process that is killed may leave. */
export function writeHalf(args: readonly unknown[], write: Call): void {
  const [fd, bytes, offset, length] = args as [number, Uint8Array | PathLike, number?, number?];
  if (!(bytes instanceof Uint8Array)) return;
  const half = Math.floor((length ?? bytes.length) / 2);
  if (half > 0) write(fd, bytes, offset ?? 0, half);
}
