import { MarkdownSection } from "@wink/prompt";
import type { BashOptions } from "just-bash";
import { checkOptions, type OptionKinds, resolveLimits } from "../error/check-options.js";
import { nameSection, TOOL_NAMING, type ToolSectionNaming } from "../error/section-naming.js";
import { resolveToolLimits } from "../reply/limits.js";
import { type BashLimits, DEFAULT_BASH_LIMITS } from "./bash-limits.js";
import { bashTool } from "./bash-tool.js";

export interface BashSectionOptions<Key extends string = "bash"> extends ToolSectionNaming<Key> {
  /** @default the defaults of `BashLimits` */
  readonly limits?: Partial<BashLimits> | undefined;
  /** Whether a non-zero exit code is a failure, which rolls back the script's changes. If not, it is a normal answer. @default false */
  readonly rollbackOnFailure?: boolean | undefined;
  /** The addresses that `curl` may reach, as just-bash's `NetworkConfig`. @default no network and no `curl` */
  readonly network?: BashOptions["network"] | undefined;
  /** Environment variables of every script. The model can read them. @default `HOME` and `TMPDIR` */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The commands that scripts may use. @default all of just-bash, without Python and JavaScript */
  readonly commands?: BashOptions["commands"] | undefined;
}

const KINDS: OptionKinds<BashSectionOptions> = {
  limits: "object",
  rollbackOnFailure: "boolean",
  network: "object",
  env: "object",
  commands: "strings",
  ...TOOL_NAMING,
};

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/**
 * Lets a model run bash scripts over the files of the workspace, inside this process and without a container. Scripts
 * cannot start programs, reach the host's files or, unless enabled, the network. A script is one tool call: its changes
 * are part of the call's transaction, events, diff and undo. Requires the package `just-bash`.
 */
export class BashSection<const Key extends string = "bash"> extends MarkdownSection<NoInfer<Key>> {
  constructor(options: BashSectionOptions<Key> = {}) {
    checkOptions("BashSection", options, KINDS);
    const { toolPrefix = "", rollbackOnFailure = false } = options;
    const { env, network, commands } = options;
    const tool = bashTool({
      limits: resolveLimits("limits", options.limits, DEFAULT_BASH_LIMITS),
      toolLimits: resolveToolLimits(),
      rollbackOnFailure,
      nameTool: (name) => toolPrefix + name,
      ...(env && { env: { ...env } }),
      ...(network && { network }),
      ...(commands && { commands }),
    });
    super({
      ...nameSection(options, "bash", "Shell"),
      template: textFor(`${toolPrefix}bash`),
      tools: [tool],
    });
  }
}

function textFor(tool: string): string {
  return [
    `Use \`${tool}\` for work on many files: searching, renaming, rewriting, counting. It starts in the root of the workspace, so paths are the same as for the other tools.`,
    "Each script starts without variables of earlier ones. Only files of the workspace stay; `/tmp` is lost at the end of a script. Programs such as node, npm, git or python are not available.",
  ].join("\n");
}
