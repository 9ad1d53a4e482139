import { PassThrough, Writable } from "node:stream";
import type { Io } from "./io.js";

export interface MemoryIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
}

/** An `Io` without a process that captures the output. */
export function memoryIo(given: Partial<Io> = {}): MemoryIo {
  const [stdout, out] = sink();
  const [stderr, err] = sink();
  return {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {},
    cwd: "/nowhere",
    color: false,
    isStdoutTerminal: false,
    stderrColor: false,
    isTerminal: false,
    columns: 80,
    exitCode: 0,
    onInterrupt: () => () => {},
    ...given,
    out,
    err,
  };
}

function sink(): readonly [Writable, () => string] {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      text += chunk;
      done();
    },
  });
  return [stream, () => text];
}
