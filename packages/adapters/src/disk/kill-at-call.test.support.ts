import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Every call of this process that changes something on disk: all are made synchronously. */
const CHANGING =
  /^(?:open|write|writeFile|rename|unlink|link|symlink|mkdir|rmdir|chmod|fchmod|ftruncate|copyFile)Sync$/;

/**
 * Ends the process, as `kill -9` does, at the changing call of this number, counted from 1: before it, after it, or
 * in the middle when it writes. Returns how to ask for the number of calls so far.
 */
export function killAtCall(at: number): () => number {
  // The module is an object like any other, whose members can be replaced for everybody.
  const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  let count = 0;
  for (const name of Object.keys(calls).filter((each) => CHANGING.test(each))) {
    const original = calls[name];
    if (original === undefined) continue;
    calls[name] = (...args) => {
      if (++count !== at) return original(...args);
      if (name === "writeSync" && args[1] instanceof Uint8Array)
        original(args[0], args[1].subarray(0, args[1].length >> 1));
      else if (at % 2 === 0) original(...args);
      process.kill(process.pid, "SIGKILL");
      // The signal may take a moment; nothing more is to happen until then.
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
  }
  syncBuiltinESMExports();
  return () => count;
}
