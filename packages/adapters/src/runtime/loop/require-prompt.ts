import { describeKind } from "@wink/filesystem/internal";
import type { BoundPrompt, EvaluateOptions } from "@wink/prompt";
import { invalid, requireOptions } from "../context/require-options.js";

const OPTIONS = ["session", "deadline", "budget", "signal", "onEvent", "maxTurns", "transcript"];

/** Throws `ARGUMENT_INVALID` if `evaluate` did not get a prompt and a session. */
export function requirePrompt(prompt: BoundPrompt, options: EvaluateOptions): void {
  const given: unknown = prompt;
  if (!hasMethod(given, "render") || !hasMethod(given, "open")) {
    const isTemplate = typeof given === "object" && given !== null && "sections" in given;
    const shown = isTemplate ? "a PromptTemplate" : describeKind(given);
    const advice = isTemplate
      ? "Pass new Prompt(template).bind(…)."
      : "Pass new Prompt(template).bind(…), with a PromptTemplate.";
    throw invalid("evaluate", `the prompt must be a bound Prompt, got ${shown}. ${advice}`);
  }
  requireOptions("evaluate", options, OPTIONS);
  if (!hasMethod(options.session, "dispatch"))
    throw invalid(
      "evaluate",
      `session must be a Session, got ${describeKind(options.session)}. Pass { session: new Session() }.`,
    );
}

function hasMethod(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return typeof Reflect.get(value, name) === "function";
}
