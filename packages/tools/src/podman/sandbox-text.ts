import type { ResolvedConfig } from "./resolve-config.js";

/** Describes the container to the model. It follows the description of the files. */
export function describeSandbox(
  { workspaceRoot, networkEnabled, keepBackground, memoryLimitBytes }: ResolvedConfig,
  toolPrefix: string,
): string {
  const name = (tool: string) => `\`${toolPrefix}${tool}\``;
  return [
    `Run commands with ${name("shell_execute")}. They see the same files, at \`${workspaceRoot}\`, and their changes can be undone like all others.`,
    `A command runs as an ordinary user in a container with ${Math.floor(memoryLimitBytes / 1024 ** 2).toLocaleString("en")} MiB of memory${networkEnabled ? "" : " and no network, so nothing can be downloaded or installed"}. Only the workspace and \`/tmp\` can be written to, and \`/tmp\` is not persistent.`,
    keepBackground
      ? "Background processes keep running after the command. Redirect their output to a file."
      : "When a command ends, all its processes are killed.",
    `Of a long output, only head and tail are shown; ${name("shell_output")} shows the rest.`,
  ].join("\n");
}
