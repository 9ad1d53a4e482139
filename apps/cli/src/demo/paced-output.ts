import { Writable } from "node:stream";

/** Writes line by line with a pause after each, so that a person can follow. */
export function pacedOutput(target: Writable, pauseMs: number): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      target.write(chunk);
      setTimeout(done, pauseMs);
    },
  });
}
