import type { CompletionCheck, CompletionMoment } from "@wink/prompt";
import { checkValue } from "../error/check-options.js";
import { Plan } from "../planning/plan.js";

/** The work is complete when no step of the plan is open. A session without a plan has no open steps. */
export const planIsDone: CompletionCheck = Object.freeze({
  name: "plan",
  check({ session }: CompletionMoment): string | undefined {
    session.install(Plan);
    const open = session
      .state(Plan)
      .steps.filter(({ status }) => status === "pending" || status === "in_progress");
    if (open.length === 0) return undefined;
    const steps = open.map(({ id, title }) => `- ${id}: ${title}`).join("\n");
    return `These steps of the plan are open. Do them, or mark them as skipped:\n${steps}`;
  },
});

/**
 * The work is complete when a command succeeds in the sandbox, for example `npm test`.
 *
 * @param tool the tool that runs commands, as the model sees it @default "shell_execute"
 */
export function commandSucceeds(command: string, tool = "shell_execute"): CompletionCheck {
  checkValue("commandSucceeds: command", command, "string");
  checkValue("commandSucceeds: tool", tool, "string");
  return Object.freeze({
    name: command.slice(0, 80),
    async check({ callTool }) {
      const isBash = tool === "bash" || tool.endsWith("_bash");
      const result = await callTool(tool, isBash ? { script: command } : { command });
      if (!result.success) return [result.message, result.hint].filter(Boolean).join("\n");
      const { exitCode, stdout = "", stderr = "" } = { ...Object(result.value) };
      if (exitCode === 0) return undefined;
      const output = `${stdout}${stderr}`.slice(-4_000);
      return `The command \`${command}\` ended with exit code ${exitCode}:\n${output}`;
    },
  } satisfies CompletionCheck);
}
