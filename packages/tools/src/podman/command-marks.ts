import { randomBytes } from "node:crypto";

/** A text that no command can know before it is started. */
export function newMark(): string {
  return `wink-${randomBytes(12).toString("hex")}`;
}

export interface MarkedOutput {
  /** Whether the command was started at all. */
  readonly begun: boolean;
  /** How it ended; `cwd` when there was no such directory; `undefined` when nobody lived to say it. */
  readonly ending: number | "cwd" | undefined;
  /** What the command itself wrote. */
  readonly bytes: Buffer;
}

/** Takes the wrapper's marks off what came on standard error. */
export function readMarks(stderr: Buffer, mark: string): MarkedOutput {
  const beginning = Buffer.from(`${mark}<`);
  const begun = stderr.subarray(0, beginning.length).equals(beginning);
  // Without a beginning it is the engine that speaks, of the host perhaps.
  if (!begun) return { begun, ending: undefined, bytes: Buffer.alloc(0) };
  const rest = stderr.subarray(beginning.length);
  const end = Buffer.from(`${mark}>`);
  const at = rest.lastIndexOf(end);
  if (at < 0) return { begun, ending: undefined, bytes: rest };
  const said = rest.subarray(at + end.length).toString("latin1");
  const code = /^\d{1,3}$/.exec(said)?.[0];
  const ending = said === "cwd" ? "cwd" : code === undefined ? undefined : Number(code);
  return { begun, ending, bytes: rest.subarray(0, at) };
}
