import { storedFilesOf } from "./stored-files-of.js";
import type { StoredFilesystem } from "./stored-filesystem.js";

/** Lets commits of files carry records, as those of a run do. `record` adds events and an answer. */
export function commitCarried(files: StoredFilesystem, events: number): { record(): void } {
  let count = 0;
  storedFilesOf(files)?.commits?.carry({
    take() {
      if (count === 0) return undefined;
      const made = Array.from({ length: events }, () => Buffer.from(`event of call ${count}`));
      count = 0;
      return { events: made, transcript: [Buffer.from("answer")] };
    },
    stored() {},
    failed() {},
    shrink: () => false,
  });
  return {
    record() {
      count += 1;
    },
  };
}
