import { constants } from "node:fs";
import { NodeError } from "./node-error.js";

/** What a handle may do, from the flags of `open`. */
export interface OpenFlags {
  readonly reads: boolean;
  readonly writes: boolean;
  readonly appends: boolean;
  readonly creates: boolean;
  readonly exclusive: boolean;
  readonly truncates: boolean;
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;

const FLAGS: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  rs: O_RDONLY,
  "r+": O_RDWR,
  "rs+": O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_TRUNC | O_EXCL,
  "w+": O_RDWR | O_CREAT | O_TRUNC,
  "wx+": O_RDWR | O_CREAT | O_TRUNC | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  as: O_WRONLY | O_CREAT | O_APPEND,
  ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL,
  "a+": O_RDWR | O_CREAT | O_APPEND,
  "as+": O_RDWR | O_CREAT | O_APPEND,
  "ax+": O_RDWR | O_CREAT | O_APPEND | O_EXCL,
};

/** Reads flags such as `"r+"`, or the numbers of `fs.constants`. */
export function parseOpenFlags(flags: string | number, path: string): OpenFlags {
  const bits = typeof flags === "number" ? flags : FLAGS[flags];
  if (bits === undefined)
    throw new NodeError("EINVAL", `unknown flags '${String(flags)}'`, { operation: "open", path });
  const access = bits & (O_WRONLY | O_RDWR);
  return {
    reads: access !== O_WRONLY,
    writes: access !== O_RDONLY,
    appends: (bits & O_APPEND) !== 0,
    creates: (bits & O_CREAT) !== 0,
    exclusive: (bits & O_EXCL) !== 0,
    truncates: (bits & O_TRUNC) !== 0,
  };
}
