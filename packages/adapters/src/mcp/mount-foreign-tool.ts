import { defineTool, fail, jsonSchema, type Tool, type ToolContext } from "@wink/prompt";
import { reportError } from "../runtime/context/report-error.js";
import { cleanText } from "./clean-text.js";
import { readForeignAnswer } from "./foreign-answer.js";
import type { ForeignTool } from "./foreign-tools.js";
import { type McpConnection, McpRefusal } from "./mcp-connection.js";

const MAX_REFUSAL = 2_000;

/** What a server reports while it works on a call. */
export interface McpProgress {
  /** The tool's name, without the section's prefix. */
  readonly tool: string;
  readonly toolCallId: string;
  /** Grows with each report. */
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

interface ForeignProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface MountOptions {
  /** The tool's name in the prompt. */
  readonly name: string;
  readonly connection: McpConnection;
  readonly trustAnnotations: boolean;
  readonly timeoutMs: number;
  readonly onProgress: ((progress: McpProgress) => void) | undefined;
  readonly onError: ((error: unknown) => void) | undefined;
}

/**
 * Creates a tool that forwards its calls to a foreign server. Throws if the tool's schema cannot
 * be used.
 */
export function mountForeignTool(foreign: ForeignTool, options: MountOptions): Tool {
  const { name, connection, trustAnnotations, timeoutMs, onProgress, onError } = options;
  const { description, inputSchema, outputSchema, readOnly } = foreign;
  const tool = defineTool({
    name,
    description: description.trim() || "The server has no description of this tool.",
    input: jsonSchema(inputSchema),
    ...(outputSchema === undefined ? {} : { output: jsonSchema<unknown>(outputSchema) }),
    access: readOnly && trustAnnotations ? "read" : "opaque",
    timeoutMs,
    async handler(input: unknown, { signal, toolCallId }: ToolContext) {
      const report =
        onProgress && ((step: ForeignProgress) => onProgress(readProgress(name, toolCallId, step)));
      try {
        const params = { name: foreign.name, arguments: input };
        return readForeignAnswer(await connection.request("tools/call", params, signal, report));
      } catch (error) {
        signal.throwIfAborted();
        reportError(onError, error, "mcp");
        return error instanceof McpRefusal ? refused(error) : lost();
      }
    },
    // The message already contains the whole answer.
    render: () => "",
  });
  // The caller keeps tools of all types in one list.
  return tool as unknown as Tool;
}

function readProgress(
  tool: string,
  toolCallId: string,
  { progress, total, message }: ForeignProgress,
): McpProgress {
  const shown = message === undefined ? undefined : cleanText(message, MAX_REFUSAL);
  return { tool, toolCallId, progress, total, message: shown };
}

function refused({ message }: McpRefusal) {
  return fail(`The server refused the call: ${cleanText(message, MAX_REFUSAL)}`);
}

function lost() {
  return fail(
    "The server of this tool cannot be reached, or stopped during the call. It is unknown whether the call took effect there.",
    { hint: "The next call connects again. If that fails too, continue without this tool." },
  );
}
