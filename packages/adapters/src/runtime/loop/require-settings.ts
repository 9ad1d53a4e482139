import { describeKind } from "@wink/filesystem/internal";
import type { ModelSettings } from "@wink/prompt";
import { invalid, requireOneOf, requireOptions } from "../context/require-options.js";

const NAMES = [
  ...(["temperature", "effort", "maxOutputTokens", "serviceTier", "toolChoice"] as const),
  "providerOptions",
] satisfies readonly (keyof ModelSettings)[];

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Throws `ARGUMENT_INVALID` if the settings of a run have a wrong value. `undefined` is fine. */
export function requireSettings(subject: string, settings: ModelSettings | undefined): void {
  if (settings === undefined) return;
  requireOptions(subject, settings, NAMES);
  const { temperature, effort, maxOutputTokens, serviceTier, toolChoice } = settings;
  requireProviderOptions(`${subject}: providerOptions`, settings.providerOptions);
  requireOneOf(`${subject}: effort`, effort, EFFORTS);
  if (temperature !== undefined && !(Number(temperature) >= 0))
    throw invalid(`${subject}: temperature`, "it must be a number from 0.");
  if (maxOutputTokens !== undefined && !(Number.isInteger(maxOutputTokens) && maxOutputTokens > 0))
    throw invalid(`${subject}: maxOutputTokens`, "it must be a whole number from 1.");
  if (serviceTier !== undefined && typeof serviceTier !== "string")
    throw invalid(
      `${subject}: serviceTier`,
      `it must be a text, got ${describeKind(serviceTier)}.`,
    );
  if (typeof toolChoice === "object" && typeof toolChoice?.tool === "string") return;
  requireOneOf(`${subject}: toolChoice`, toolChoice, ["auto", "none", "required"]);
}

/** The adapters that copy or store a request cannot copy functions. */
function requireProviderOptions(subject: string, given: unknown): void {
  if (given === undefined) return;
  // `requireOptions` has checked that it is an object.
  const wrong = Object.values(given as object).find(
    (fields) => describeKind(fields) !== "an object",
  );
  if (wrong !== undefined)
    throw invalid(
      subject,
      `it must be an object of fields by provider, such as { openai: { top_p: 0.5 } }, got ${describeKind(wrong)}.`,
    );
  try {
    structuredClone(given);
  } catch {
    throw invalid(subject, "its fields must be plain data. Remove functions and symbols.");
  }
}
