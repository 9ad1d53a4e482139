import type { NameTool } from "../reply/answer-error.js";
import type { ToolLimits } from "../reply/limits.js";
import type { OutputHistory } from "./output-history.js";
import type { ResolvedConfig } from "./resolve-config.js";
import type { Sandbox } from "./sandbox.js";

/** Shared by the tools of a sandbox. */
export interface ShellSettings {
  readonly sandbox: Sandbox;
  readonly config: ResolvedConfig;
  readonly outputs: OutputHistory;
  readonly limits: ToolLimits;
  /** The key of the section, which identifies its files in the session. */
  readonly workspace: string;
  readonly nameTool: NameTool;
}
