import { showValue } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import type { Tool } from "../protocol/tool.js";
import type { FileView, PlannedChange } from "../protocol/tool-files.js";

type DeclaringTool = Pick<Tool, "name" | "files">;

const EXTENTS: readonly unknown[] = [
  "whole",
  "part",
  "transfer",
] satisfies PlannedChange["extent"][];

/** The files that the tool declares to change. */
export function changesOf(tool: DeclaringTool, input: unknown): readonly PlannedChange[] {
  const changes = tool.files?.changes?.(input) ?? [];
  const expected = "{ path, extent } with extent 'whole', 'part' or 'transfer'";
  return requireItems(tool, "changes", changes, expected, (each) => {
    const { path, extent } = fieldsOf(each);
    return typeof path === "string" && EXTENTS.includes(extent);
  });
}

/** The files that the tool declares to delete or move away. */
export function removalsOf(tool: DeclaringTool, input: unknown): readonly string[] {
  const removals = tool.files?.removes?.(input) ?? [];
  return requireItems(tool, "removes", removals, "paths", (each) => typeof each === "string");
}

/** The parts of files that the tool declares to have shown. */
export function viewsOf(tool: DeclaringTool, input: unknown, value: unknown): readonly FileView[] {
  const views = tool.files?.views?.(input, value) ?? [];
  return requireItems(tool, "views", views, "views. Use viewOf(page)", (each) => {
    const { path, revision } = fieldsOf(each);
    return typeof path === "string" && typeof revision === "string";
  });
}

/** A tool in JavaScript may return anything, and a wrong path would only fail later, as the path 'undefined'. */
function requireItems<Item>(
  { name }: DeclaringTool,
  member: string,
  items: readonly Item[],
  expected: string,
  isItem: (item: unknown) => boolean,
): readonly Item[] {
  const wrong: unknown = Array.isArray(items) ? items.find((each) => !isItem(each)) : items;
  if (Array.isArray(items) && items.every(isItem)) return items;
  const found = Array.isArray(items) ? `an array with ${shown(wrong)}` : shown(items);
  const reason = `files.${member}() returned ${found}. Return an array of ${expected}`;
  throw new PromptError("TOOL_INVALID", `tool '${name}'`, reason);
}

function shown(value: unknown): string {
  const isPromise = typeof value === "object" && value !== null && "then" in value;
  return isPromise ? "a promise, but it cannot be async" : showValue(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
