import type { ResolvedConfig } from "./resolve-config.js";

/** Describes the container to the model. It follows the description of the files. */
export function describeSandbox(
  { workspaceRoot, networkEnabled, keepBackground, memoryLimitBytes }: ResolvedConfig,
  toolPrefix: string,
): string {
  const name = (tool: string) => `\`${toolPrefix}${tool}\``;
  return [
    `Run commands with ${name("shell_execute")}: they see the same files, at \`${workspaceRoot}\`, and what they change can be undone like everything else.`,
    `A command runs as an ordinary user in a container with ${Math.floor(memoryLimitBytes / 1024 ** 2).toLocaleString("en")} MiB of memory${networkEnabled ? "" : " and no network, so nothing can be downloaded or installed"}. Only the workspace and \`/tmp\` can be written to, and \`/tmp\` does not last.`,
    keepBackground
      ? "Processes that a command leaves running go on; send their output to a file."
      : "When a command ends, everything it started is ended too.",
    `A long output is shown by its head and its tail; ${name("shell_output")} shows the rest.`,
  ].join("\n");
}
