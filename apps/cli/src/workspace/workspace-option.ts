import { Option } from "commander";

export interface WorkspaceOption {
  readonly workspace?: string | undefined;
}

/** The option of every command that uses an existing workspace. */
export function workspaceOption(): Option {
  return new Option(
    "-w, --workspace <dir>",
    "the directory (default: the current one, or its nearest parent with a workspace)",
  );
}
