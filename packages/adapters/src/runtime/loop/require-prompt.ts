import { describeKind } from "@wink/filesystem/internal";
import type { EvaluateOptions } from "@wink/prompt";
import {
  hasMethod,
  invalid,
  requireFunction,
  requireMethod,
  requireOneOf,
  requireOptions,
  requireSession,
} from "../context/require-options.js";
import { requireSettings } from "./require-settings.js";

/** The names of `EvaluateOptions`. */
export const EVALUATE_OPTIONS: readonly string[] = [
  ...["session", "deadline", "budget", "signal", "onEvent", "maxTurns", "transcript"],
  ...["settings", "onApproval", "messages", "run", "onAgentChanged", "renewLimits"],
];

/** Throws `ARGUMENT_INVALID` if `evaluate` did not get a prompt and a session. */
export function requireEvaluation(prompt: unknown, options: EvaluateOptions): void {
  requirePrompt("evaluate", prompt);
  requireOptions("evaluate", options, EVALUATE_OPTIONS);
  requireSession("evaluate", options.session);
  if (options.budget !== undefined)
    requireMethod("budget", options.budget, {
      name: "remaining",
      expected: "a Budget, such as new Budget({ tokens: 100_000 })",
    });
  if (options.messages !== undefined && !Array.isArray(options.messages))
    throw invalid("messages", `expected an array, got ${describeKind(options.messages)}.`);
  requireOneOf("onAgentChanged", options.onAgentChanged, ["refuse", "continue"]);
  requireSettings("settings", options.settings);
  requireFunction("onApproval", options.onApproval);
}

/** The options with the session of the run that is continued. */
export function withSession(
  options: EvaluateOptions | (Omit<EvaluateOptions, "session"> & Pick<EvaluateOptions, "run">),
): EvaluateOptions {
  const { run } = options ?? {};
  if (run !== undefined && !hasMethod(run?.session, "dispatch"))
    throw invalid("run", `expected a Run, got ${describeKind(run)}.`);
  // `requireEvaluation` checks the session.
  return run === undefined ? (options as EvaluateOptions) : { ...options, session: run.session };
}

export function requirePrompt(subject: string, prompt: unknown): void {
  if (hasMethod(prompt, "render") && hasMethod(prompt, "open")) return;
  const isTemplate = typeof prompt === "object" && prompt !== null && "sections" in prompt;
  const shown = isTemplate ? "a PromptTemplate" : describeKind(prompt);
  const advice = isTemplate
    ? "Pass new Prompt(template).bind(…)."
    : "Pass new Prompt(template).bind(…), with a PromptTemplate.";
  throw invalid(subject, `the prompt must be a bound Prompt, got ${shown}. ${advice}`);
}
