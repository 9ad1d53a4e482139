import { Option } from "commander";

export interface WorkspaceOption {
  readonly workspace?: string | undefined;
}

/** For every command that is about a workspace that is there. */
export function workspaceOption(): Option {
  return new Option(
    "-w, --workspace <dir>",
    "the directory it is about (default: this one, or the nearest above that has a workspace)",
  );
}
