import { requireMember } from "../error/check-options.js";
import type { Tool } from "../protocol/tool.js";
import { fail, type ToolFailure } from "../protocol/tool-result.js";
import { type Checked, checkValue, issuePath } from "../schema/schema.js";

type ParsedInput<Input> = { readonly success: true; readonly value: Input } | ToolFailure;

/**
 * Validates the arguments that a model sent. Returns a promise only if the schema is asynchronous.
 * If they are invalid, the failure tells the model every problem.
 */
export function parseInput<Input>(
  tool: Tool<string, Input>,
  input: unknown,
):
  | { readonly success: true; readonly value: Input }
  | ToolFailure
  | Promise<{ readonly success: true; readonly value: Input } | ToolFailure> {
  requireMember("parseInput", tool, "inputSchema", "a tool");
  const strange = unknownFields(tool, input);
  if (strange.length > 0)
    return fail(`The input has fields that ${tool.name} does not take: ${strange.join(", ")}.`, {
      hint: `Its fields are: ${fieldsOf(tool).join(", ") || "none"}.`,
    });
  const checked = checkValue(tool.input, input);
  return checked instanceof Promise
    ? checked.then((late) => toParsed(tool, late))
    : toParsed(tool, checked);
}

function toParsed<Input>(
  { name }: Pick<Tool, "name">,
  checked: Checked<Input>,
): ParsedInput<Input> {
  if (checked.issues === undefined) return { success: true, value: checked.value };
  const lines = checked.issues.map((issue) => {
    const path = issuePath(issue);
    return path === "" ? `- ${issue.message}` : `- ${path}: ${issue.message}`;
  });
  return fail(`The input does not fit ${name}.\n${lines.join("\n")}`, {
    hint: "Call it again with these corrected.",
  });
}

/**
 * Without this check, a misspelt optional field would be dropped silently, and the call would do
 * something else.
 */
function unknownFields(tool: Pick<Tool, "inputSchema">, input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  if (tool.inputSchema["additionalProperties"] !== false) return [];
  const known = fieldsOf(tool);
  return Object.keys(input).filter((name) => !known.includes(name));
}

function fieldsOf({ inputSchema }: Pick<Tool, "inputSchema">): readonly string[] {
  const { properties } = inputSchema;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
