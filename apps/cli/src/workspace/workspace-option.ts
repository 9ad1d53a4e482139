import { Option } from "commander";

export interface WorkspaceOption {
  readonly workspace?: string | undefined;
  /** The line of an ended run. */
  readonly line?: string | undefined;
}

/** The option of every command that uses an existing workspace. */
export function workspaceOption(): Option {
  return new Option(
    "-w, --workspace <dir>",
    "the directory (default: the current one, or its nearest parent with a workspace)",
  );
}

/** The option of the commands that also work on a line. */
export function lineOption(): Option {
  return new Option("--line <name>", "the result of a run that was kept apart");
}
