import { relative } from "node:path";
import type { Io } from "../terminal/io.js";

/** The option that a hint needs for `directory`: empty, or `-w` with the relative path. */
export function workspaceOption({ cwd }: Pick<Io, "cwd">, directory: string): string {
  const way = relative(cwd, directory);
  if (way === "") return "";
  return ` -w ${/^[\w./-]+$/.test(way) ? way : `'${way.replaceAll("'", "'\\''")}'`}`;
}
