import { resolve } from "node:path";

/** The URL of a queue or store, with the file of SQLite relative to the directory of the command. */
export function placeUrl(url: string, cwd: string): string {
  const [, file, rest = ""] = /^sqlite:([^#?]+)(.*)$/i.exec(url) ?? [];
  return file === undefined ? url : `sqlite:${resolve(cwd, file)}${rest}`;
}
