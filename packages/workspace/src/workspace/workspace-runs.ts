import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { tolerating } from "@wink/filesystem/host";

/** The run directories of a workspace. */
export class WorkspaceRuns {
  /** The directory that contains them. */
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Makes a directory for a new run. Names sort by time. */
  create(): string {
    const path = join(this.directory, runName());
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  /** The run directories, the newest first. */
  list(): readonly string[] {
    const read = () => readdirSync(this.directory, { withFileTypes: true });
    const entries = tolerating(["ENOENT"], read, []);
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return names
      .sort()
      .reverse()
      .map((name) => join(this.directory, name));
  }
}

/** Sorts by time, and is unique for two runs that start at the same time. */
export function runName(): string {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  return `${time}-${randomUUID().slice(0, 8)}`;
}
