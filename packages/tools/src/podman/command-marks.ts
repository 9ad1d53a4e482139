import { randomBytes } from "node:crypto";

/** Random texts that a command cannot guess. One marks its beginning, one its end. */
export interface CommandMarks {
  readonly begin: string;
  readonly end: string;
}

export function newMarks(): CommandMarks {
  const random = () => `wink-${randomBytes(12).toString("hex")}`;
  return { begin: `${random()}<`, end: `${random()}>` };
}

export interface MarkedOutput {
  /** Whether the command was started at all. */
  readonly begun: boolean;
  /** The exit code; `cwd` if the directory does not exist; `undefined` if the wrapper shell did not report an end. */
  readonly ending: number | "cwd" | undefined;
  /** What the command itself wrote. */
  readonly bytes: Buffer;
}

/** Strips the wrapper's marks from standard error. */
export function readMarks(stderr: Buffer, { begin, end }: CommandMarks): MarkedOutput {
  const begun = stderr.subarray(0, begin.length).equals(Buffer.from(begin));
  // Without a begin mark this is the engine's own output, which may name host paths.
  if (!begun) return { begun, ending: undefined, bytes: Buffer.alloc(0) };
  const rest = stderr.subarray(begin.length);
  const at = rest.lastIndexOf(Buffer.from(end));
  if (at < 0) return { begun, ending: undefined, bytes: rest };
  const status = rest.subarray(at + end.length).toString("latin1");
  const code = /^\d{1,3}$/.exec(status)?.[0];
  const ending = status === "cwd" ? "cwd" : code === undefined ? undefined : Number(code);
  return { begun, ending, bytes: rest.subarray(0, at) };
}
