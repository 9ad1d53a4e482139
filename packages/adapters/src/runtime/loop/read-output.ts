import type { StructuredOutput } from "@wink/prompt";
import { describeIssue } from "@wink/prompt/adapter";
import { isTextDeeperThan } from "../call/is-deeper-than.js";
import { DEFAULT_CALL_LIMITS } from "../context/limits.js";

export type ReadOutput<Output> =
  | { readonly success: true; readonly value: Output }
  | {
      readonly success: false;
      /** What the model must correct. */
      readonly problem: string;
      /** The first problem, for the developer. */
      readonly reason: string;
    };

const MAX_ISSUES = 20;
/**
 * Schemas and the session's log read a value recursively. A deeper value could overflow the
 * stack.
 */
const MAX_DEPTH = DEFAULT_CALL_LIMITS.maxArgumentsDepth;

/**
 * Parses and validates the model's last text as the template's output. Removes a code fence
 * around the JSON.
 */
export async function readOutput<Output>(
  text: string,
  { schema }: StructuredOutput<Output>,
): Promise<ReadOutput<Output>> {
  const json = withoutFence(text);
  if (isTextDeeperThan(json, MAX_DEPTH))
    return {
      success: false,
      reason: `the answer is nested more than ${MAX_DEPTH} levels deep`,
      problem: `Your answer is nested more than ${MAX_DEPTH} levels deep. Answer with a flatter JSON value that fits the schema.`,
    };
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return {
      success: false,
      reason: "the answer is not JSON",
      problem:
        "Your answer is not JSON. Answer with one JSON value that fits the schema, and nothing else.",
    };
  }
  const checked = await schema["~standard"].validate(parsed);
  if (checked.issues === undefined) return { success: true, value: checked.value };
  const lines = checked.issues.slice(0, MAX_ISSUES).map(({ path = [], message }) => {
    const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
    return `- ${[...keys, message.slice(0, 200)].join(": ")}`;
  });
  const [first] = checked.issues;
  return {
    success: false,
    reason: first === undefined ? "the answer does not fit" : describeIssue(first, parsed),
    problem: `Your answer does not fit the schema.\n${lines.join("\n")}\nAnswer again with these corrected, as JSON and nothing else.`,
  };
}

const FENCE = "```";

/** Removes a code fence. Runs in linear time, because the model controls the text. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE)) return text;
  const opening = trimmed.startsWith(`${FENCE}json`) ? `${FENCE}json` : FENCE;
  const inside = trimmed.slice(opening.length, -FENCE.length);
  const body = inside.trim();
  const start = inside.length - inside.trimStart().length;
  const areLines =
    inside.slice(0, start).includes("\n") && inside.slice(start + body.length).includes("\n");
  return areLines ? body : text;
}
