import { fail, type ToolFailure } from "@wink/prompt";
import type { CallLimits } from "../context/limits.js";
import { isDeeperThan, isTextDeeperThan } from "./is-deeper-than.js";

export type ParsedArguments =
  | { readonly success: true; readonly value: Readonly<Record<string, unknown>> }
  | ToolFailure;

/**
 * Parses the arguments of a call to an object. A string is parsed as JSON; an empty string means
 * no arguments. Never throws. Error messages do not repeat the model's text.
 */
export function parseArguments(
  sent: unknown,
  { maxArgumentsCharacters, maxArgumentsDepth }: CallLimits,
): ParsedArguments {
  let value = sent;
  if (typeof sent === "string") {
    if (sent.length > maxArgumentsCharacters)
      return fail(
        `The arguments have ${sent.length} characters; at most ${maxArgumentsCharacters} are allowed.`,
        { hint: "Split the work over several calls." },
      );
    if (isTextDeeperThan(sent, maxArgumentsDepth)) return tooDeep(maxArgumentsDepth);
    try {
      value = sent.trim() === "" ? {} : JSON.parse(sent);
    } catch {
      return fail("The arguments are not valid JSON.", {
        hint: "Send one complete JSON object, with quotes escaped and no trailing comma.",
      });
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return fail(`The arguments must be a JSON object, not ${kindOf(value)}.`);
  if (typeof sent !== "string" && isDeeperThan(value, maxArgumentsDepth))
    return tooDeep(maxArgumentsDepth);
  return { success: true, value: { ...value } };
}

function tooDeep(maxDepth: number): ToolFailure {
  return fail(`The arguments are nested more than ${maxDepth} levels deep.`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "undefined" ? "nothing" : `a ${typeof value}`;
}
