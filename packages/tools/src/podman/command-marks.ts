import { randomBytes } from "node:crypto";

/** Texts that a command cannot know: one for its beginning, one for its end. */
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
  /** How it ended; `cwd` when there was no such directory; `undefined` when the shell around it did not report an end. */
  readonly ending: number | "cwd" | undefined;
  /** What the command itself wrote. */
  readonly bytes: Buffer;
}

/** Takes the wrapper's marks off what came on standard error. */
export function readMarks(stderr: Buffer, { begin, end }: CommandMarks): MarkedOutput {
  const begun = stderr.subarray(0, begin.length).equals(Buffer.from(begin));
  // Without a beginning these are the engine's own words, which may name the host.
  if (!begun) return { begun, ending: undefined, bytes: Buffer.alloc(0) };
  const rest = stderr.subarray(begin.length);
  const at = rest.lastIndexOf(Buffer.from(end));
  if (at < 0) return { begun, ending: undefined, bytes: rest };
  const said = rest.subarray(at + end.length).toString("latin1");
  const code = /^\d{1,3}$/.exec(said)?.[0];
  const ending = said === "cwd" ? "cwd" : code === undefined ? undefined : Number(code);
  return { begun, ending, bytes: rest.subarray(0, at) };
}
