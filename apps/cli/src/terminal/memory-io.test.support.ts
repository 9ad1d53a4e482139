import { PassThrough, Writable } from "node:stream";
import type { Io } from "./io.js";
import { KeyListener } from "./key-listener.js";
import { StatusLine } from "./status-line.js";

export interface MemoryIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
}

/** An `Io` without a process that captures the output. */
export function memoryIo(given: Partial<Io> = {}): MemoryIo {
  const [stdout, out] = sink();
  const [stderr, err] = sink();
  const terminal = { stderr, stderrColor: false, isTerminal: false, columns: 80, ...given };
  return {
    ...terminal,
    stdin: new PassThrough(),
    stdout,
    env: {},
    cwd: "/nowhere",
    color: false,
    isStdoutTerminal: false,
    status: new StatusLine(terminal),
    keys: new KeyListener(new PassThrough()),
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
