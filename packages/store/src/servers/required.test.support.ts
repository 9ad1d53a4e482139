import { accessSync, constants } from "node:fs";
import path from "node:path";

/** The path of a program, or `undefined`. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const all = [...folders, ...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin"];
  return all.map((folder) => path.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a component is there. A missing one is printed, and fails the run if everything is required. */
export function isAvailable(what: string, found: unknown): boolean {
  if (found !== undefined) return true;
  if (process.env["WINK_REQUIRE_ALL"] === "1") throw new Error(`${what} is not installed.`);
  console.log(`skipped: ${what} is not installed`);
  return false;
}
