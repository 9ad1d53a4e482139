import { requireText, wrongArgument } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import { allow, deny, type PolicyCall, type ToolPolicy } from "../protocol/policy.js";
import { ToolCalls } from "../tool/tool-calls.js";

/**
 * Requires that tools are called in this order: a tool is allowed once the previous one has
 * succeeded.
 *
 * Names are as the model sees them. Other tools are not restricted.
 */
export function sequential(tools: readonly string[]): ToolPolicy {
  if (!Array.isArray(tools)) throw wrongArgument("sequential", "a list of tool names", tools);
  for (const name of tools) requireText("sequential", name, "a list of tool names");
  if (new Set(tools).size !== tools.length)
    throw new PromptError(
      "TEMPLATE_INVALID",
      "sequential",
      "a tool is in the list twice. Remove one",
    );
  const steps = Object.freeze([...tools]);
  return Object.freeze({
    name: "sequential",
    tools: steps,
    slices: [ToolCalls],

    check(call: PolicyCall) {
      const done = call.context.session.state(ToolCalls)[promptId(call)]?.succeeded ?? [];
      const before = steps.slice(0, Math.max(0, steps.indexOf(call.tool.name)));
      const missing = before.filter((name) => !done.includes(name));
      if (missing.length === 0) return allow();
      return deny(
        `${call.tool.name} comes later. Call ${missing.join(", then ")} first, and then ${call.tool.name}.`,
      );
    },
  });
}

function promptId({ context: { prompt } }: PolicyCall): string {
  return `${prompt.ns}/${prompt.key}`;
}
