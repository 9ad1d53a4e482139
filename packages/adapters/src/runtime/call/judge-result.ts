import { describeKind } from "@wink/filesystem/internal";
import { fail, ok, type RenderedTool, type ToolResult } from "@wink/prompt";
import { renderResult } from "@wink/prompt/adapter";
import { clip } from "../context/clip.js";
import type { CallLimits } from "../context/limits.js";
import { describeUnfitImages } from "./unfit-images.js";

export interface JudgedResult {
  readonly result: ToolResult;
  /** The text that the model reads. */
  readonly text: string;
  /** What the author of the tool must fix. @default nothing */
  readonly problem?: string;
}

/**
 * Checks what a handler returned. Returns it, or a failure if it is not a tool result, does not
 * match the tool's `output` schema, cannot be rendered or is too large.
 */
export function judgeResult(
  tool: RenderedTool,
  answer: unknown,
  limits: CallLimits,
): JudgedResult | Promise<JudgedResult> {
  if (!isResult(answer)) {
    const kind = describeKind(answer);
    const problem = `the handler returned ${kind}. Return ok(value, message) or fail(message)`;
    return broken(tool, "did not return a tool result", problem);
  }
  if (!answer.success) {
    const { message, hint } = answer;
    const shown = typeof hint === "string" ? hint : undefined;
    return show(tool, fail(clip(message, limits.maxAnswerCharacters), { hint: shown }), limits);
  }
  const checked = tool.output?.["~standard"].validate(answer.value);
  // `then` is checked because the schema library may return its own kind of promise.
  return checked !== undefined && "then" in checked
    ? Promise.resolve(checked).then((late) => judgeValue(tool, answer, late, limits))
    : judgeValue(tool, answer, checked, limits);
}

type CheckedOutput = Awaited<
  ReturnType<NonNullable<RenderedTool["output"]>["~standard"]["validate"]>
>;

function judgeValue(
  tool: RenderedTool,
  answer: Extract<ToolResult, { readonly success: true }>,
  checked: CheckedOutput | undefined,
  limits: CallLimits,
): JudgedResult {
  if (checked?.issues) {
    const [{ path = [], message } = { message: "" }] = checked.issues;
    const field = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    const problem = `the value does not match the output schema${field && `, field '${field}'`}: ${message}`;
    return broken(tool, "returned a value that does not match its output schema", problem);
  }
  const value = checked === undefined ? answer.value : checked.value;
  const { images = [] } = answer;
  const unfit = describeUnfitImages(images, limits);
  if (unfit !== undefined) return broken(tool, unfit);
  try {
    if (!tool.render && !isPlain(value))
      return broken(tool, "returned a value that cannot be rendered");
    return show(tool, ok(value, answer.message, { images }), limits);
  } catch {
    return broken(tool, "returned a value that cannot be rendered");
  }
}

function show(tool: RenderedTool, result: ToolResult, limits: CallLimits): JudgedResult {
  const text = renderResult(tool, result);
  if (typeof text !== "string") return broken(tool, "returned a value that cannot be rendered");
  if (text.length > limits.maxResultCharacters)
    return broken(tool, `returned ${text.length} characters, which is too long`);
  return { result, text: clip(text, limits.maxAnswerCharacters) };
}

function broken({ name }: RenderedTool, what: string, problem = what): JudgedResult {
  const result = fail(`${name} ${what}, so the call counts as failed.`);
  return { result, text: result.message, problem };
}

function isResult(answer: unknown): answer is ToolResult {
  if (typeof answer !== "object" || answer === null) return false;
  if (!("success" in answer) || typeof answer.success !== "boolean") return false;
  if (!("message" in answer) || typeof answer.message !== "string") return false;
  return !answer.success || "value" in answer;
}

/**
 * Whether JSON represents the whole value. A Map would become `{}`, and a function would
 * disappear.
 */
function isPlain(value: unknown): boolean {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "function" || typeof next === "symbol" || typeof next === "bigint")
      return false;
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if ("toJSON" in next) continue;
    const prototype: unknown = Object.getPrototypeOf(next);
    if (!Array.isArray(next) && prototype !== null && prototype !== Object.prototype) return false;
    for (const child of Object.values(next)) waiting.push(child);
  }
  return true;
}
