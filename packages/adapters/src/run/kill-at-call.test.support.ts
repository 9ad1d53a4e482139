import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** All functions that change the disk. This package uses only the synchronous ones. */
const CHANGING =
  /^(?:open|write|writeFile|rename|unlink|link|symlink|mkdir|rmdir|chmod|fchmod|ftruncate|copyFile)Sync$/;

/**
 * Kills the process like `kill -9` at the changing call with this number, counted from 1: before
 * it, after it, or in the middle of a write. Returns the number of calls so far, and the numbers
 * of the calls that wrote `mark`.
 */
export function killAtCall(at: number, mark: string): { count: number; marked: number[] } {
  // Members of the `fs` module can be replaced for the whole process.
  const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const state = { count: 0, marked: [] as number[] };
  for (const name of Object.keys(calls).filter((each) => CHANGING.test(each))) {
    const original = calls[name];
    if (original === undefined) continue;
    calls[name] = (...args) => {
      state.count++;
      const [, bytes] = args;
      if (bytes instanceof Uint8Array && Buffer.from(bytes).includes(mark))
        state.marked.push(state.count);
      if (state.count !== at) return original(...args);
      if (name === "writeSync" && bytes instanceof Uint8Array)
        original(args[0], bytes.subarray(0, bytes.length >> 1));
      else if (at % 2 === 0) original(...args);
      process.kill(process.pid, "SIGKILL");
      // The signal may take a moment. Block until then.
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
  }
  syncBuiltinESMExports();
  return state;
}
