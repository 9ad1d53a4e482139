import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Every call that changes the host or the journal, except `close`, which never fails to close. */
const NAMES = [
  ...["openSync", "readSync", "writeSync", "writeFileSync", "appendFileSync"],
  ...["readFileSync", "readdirSync"],
  ...["renameSync", "linkSync", "unlinkSync", "rmdirSync", "rmSync", "mkdirSync", "fsyncSync"],
  ...[
    "fchmodSync",
    "chmodSync",
    "fchownSync",
    "fstatSync",
    "lstatSync",
    "statSync",
    "realpathSync",
  ],
] as const;

export type Trouble =
  /** Only this call fails. */
  | "once"
  /** This call and all later ones fail, as if the process had died. */
  | "from-then-on"
  /** The process is killed, in the middle of the call if it writes. */
  | "kill";

/** Makes the call with this number fail, counted from 1; 0 only counts the calls. */
export function troubleAt(at: number, trouble: Trouble): { count: number; end(): void } {
  return interceptCalls(({ count, name, args, original }) => {
    const isDue = count === at || (trouble === "from-then-on" && at > 0 && count > at);
    if (isDue && trouble === "kill") {
      if (args[1] instanceof Uint8Array && name === "writeSync")
        original(args[0], args[1].subarray(0, args[1].length >> 1));
      process.kill(process.pid, "SIGKILL");
    }
    if (isDue) throw Object.assign(new Error("made to fail"), { code: "EIO", syscall: name });
  });
}

export interface InterceptedCall {
  /** Counted from 1. */
  readonly count: number;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly original: (...args: unknown[]) => unknown;
}

/** Runs `before` ahead of every call, until `end`. The calls that `before` makes are not counted. */
export function interceptCalls(before: (call: InterceptedCall) => void): {
  count: number;
  end(): void;
} {
  // Assigned by name in a loop, so that each function keeps its own type.
  const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = NAMES.flatMap((name) => (calls[name] ? [[name, calls[name]] as const] : []));
  let isInside = false;
  const state = {
    count: 0,
    end() {
      for (const [name, original] of originals) calls[name] = original;
      syncBuiltinESMExports();
    },
  };
  for (const [name, original] of originals) {
    calls[name] = (...args) => {
      if (isInside) return original(...args);
      isInside = true;
      try {
        before({ count: ++state.count, name, args, original });
      } finally {
        isInside = false;
      }
      return original(...args);
    };
  }
  syncBuiltinESMExports();
  return state;
}
