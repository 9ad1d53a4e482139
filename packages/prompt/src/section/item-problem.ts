import { describeWrong } from "../error/check-options.js";

const ITEMS = {
  tools: ["a tool. Use defineTool", (item: object) => "inputSchema" in item && "handler" in item],
  policies: [
    "a policy with a function 'check'",
    (item: object) => "check" in item && typeof item.check === "function",
  ],
} as const;

/** The first item of a list from JavaScript that is of another kind, as the end of a message. */
export function itemProblem(
  name: keyof typeof ITEMS,
  items: readonly unknown[],
): string | undefined {
  const [expected, holds] = ITEMS[name];
  const index = items.findIndex(
    (item) => typeof item !== "object" || item === null || !holds(item),
  );
  if (index === -1) return undefined;
  return `${name}[${index}] is ${describeWrong(items[index])}, but it must be ${expected}`;
}
