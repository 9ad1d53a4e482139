import { relative } from "node:path";
import type { Io } from "../terminal/io.js";

/** What a command about `directory` takes behind its name from where the user is: nothing, or `-w` and the way there. */
export function workspaceOption({ cwd }: Pick<Io, "cwd">, directory: string): string {
  const way = relative(cwd, directory);
  if (way === "") return "";
  return ` -w ${/^[\w./-]+$/.test(way) ? way : `'${way.replaceAll("'", "'\\''")}'`}`;
}
