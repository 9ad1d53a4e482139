import { fail, ok, type RenderedTool, renderResult, type ToolResult } from "@wink/prompt";
import { clip } from "../context/clip.js";
import type { CallLimits } from "../context/limits.js";
import { describeUnfitImages } from "./unfit-images.js";

export interface JudgedResult {
  readonly result: ToolResult;
  /** What the model reads of it. */
  readonly text: string;
}

/**
 * What a handler's answer is worth: itself, or a failure when it is no result, does
 * not fit the tool's `output`, cannot be shown or is too large.
 */
export function judgeResult(
  tool: RenderedTool,
  answer: unknown,
  limits: CallLimits,
): JudgedResult | Promise<JudgedResult> {
  if (!isResult(answer)) return broken(tool, "did not answer with a result");
  if (!answer.success) {
    const { message, hint } = answer;
    const shown = typeof hint === "string" ? hint : undefined;
    return show(tool, fail(clip(message, limits.maxAnswerCharacters), { hint: shown }), limits);
  }
  const checked = tool.output?.["~standard"].validate(answer.value);
  // A promise may be of another library's making.
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
  if (checked?.issues) return broken(tool, "answered with something that is not what it promises");
  const value = checked === undefined ? answer.value : checked.value;
  const { images = [] } = answer;
  const unfit = describeUnfitImages(images, limits);
  if (unfit !== undefined) return broken(tool, unfit);
  try {
    if (!tool.render && !isPlain(value)) return broken(tool, "answered with what cannot be shown");
    return show(tool, ok(value, answer.message, { images }), limits);
  } catch {
    return broken(tool, "answered with what cannot be shown");
  }
}

function show(tool: RenderedTool, result: ToolResult, limits: CallLimits): JudgedResult {
  const text = renderResult(tool, result);
  if (typeof text !== "string") return broken(tool, "answered with what cannot be shown");
  if (text.length > limits.maxResultCharacters)
    return broken(tool, `answered with ${text.length} characters, which is too much`);
  return { result, text: clip(text, limits.maxAnswerCharacters) };
}

function broken({ name }: RenderedTool, what: string): JudgedResult {
  const result = fail(`${name} ${what}, so the call counts as failed.`);
  return { result, text: result.message };
}

function isResult(answer: unknown): answer is ToolResult {
  if (typeof answer !== "object" || answer === null) return false;
  if (!("success" in answer) || typeof answer.success !== "boolean") return false;
  if (!("message" in answer) || typeof answer.message !== "string") return false;
  return !answer.success || "value" in answer;
}

/** Whether JSON shows all of the value: it would turn a Map into `{}` and leave a function out. */
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
