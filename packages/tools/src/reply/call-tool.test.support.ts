import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import type { Tool, ToolContext, ToolResult } from "@wink/prompt";
import { parseInput, renderResult } from "@wink/prompt/adapter";
import { expect } from "vitest";
import { DEFAULT_TOOL_LIMITS } from "./limits.js";

export interface Answer {
  readonly result: ToolResult<unknown>;
  /** The text that the model receives. */
  readonly text: string;
}

/** Calls a tool as an agent loop does, from the arguments to the text, and checks the rules that hold for every answer. */
export async function callTool(
  tool: Tool | undefined,
  input: unknown,
  context: ToolContext,
  maxCharacters: number = DEFAULT_TOOL_LIMITS.maxAnswerCharacters,
): Promise<Answer> {
  if (tool === undefined) throw new Error("Unknown tool.");
  const parsed = await parseInput(tool, input);
  const result = parsed.success ? await tool.handler(parsed.value, context) : parsed;
  const text = renderResult(tool, result);
  scanAnswer(text, { input, maxCharacters });
  return { result, text };
}

const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url)).replace(/\/$/, "");

/** Checks that an answer is within its limit and contains no host path, environment value or stack trace. */
export function scanAnswer(
  text: string,
  { input, maxCharacters }: { readonly input: unknown; readonly maxCharacters: number },
): void {
  expect(text.length).toBeLessThanOrEqual(maxCharacters);
  expect(text.isWellFormed()).toBe(true);
  // An answer may repeat what the model itself wrote.
  const given = JSON.stringify(input) ?? "";
  const secrets = [REPOSITORY, homedir(), "/tmp/", process.execPath, "node_modules", "file://"]
    .concat(
      Object.values(process.env).filter(
        (value) => value !== undefined && value.length > 12,
      ) as string[],
    )
    .filter((secret) => secret.length > 4 && !given.includes(secret));
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/\n\s+at .+:\d+:\d+/);
}
