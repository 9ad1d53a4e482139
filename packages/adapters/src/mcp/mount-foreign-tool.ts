import { defineTool, fail, jsonSchema, type Tool, type ToolContext } from "@wink/prompt";
import { complain } from "../runtime/context/complain.js";
import { cleanText } from "./clean-text.js";
import { readForeignAnswer } from "./foreign-answer.js";
import type { ForeignTool } from "./foreign-tools.js";
import { type McpConnection, McpRefusal } from "./mcp-connection.js";

const MAX_REFUSAL = 2_000;

export interface MountOptions {
  /** The name that it gets here. */
  readonly name: string;
  readonly connection: McpConnection;
  readonly trustAnnotations: boolean;
  readonly timeoutMs: number;
  readonly onError: ((error: unknown) => void) | undefined;
}

/** A tool that hands its calls on to a foreign server. Throws when it cannot be one here. */
export function mountForeignTool(foreign: ForeignTool, options: MountOptions): Tool {
  const { name, connection, trustAnnotations, timeoutMs, onError } = options;
  const { description, inputSchema, outputSchema, readOnly } = foreign;
  const tool = defineTool({
    name,
    description: description.trim() || "The server says nothing about this tool.",
    input: jsonSchema(inputSchema),
    ...(outputSchema === undefined ? {} : { output: jsonSchema<unknown>(outputSchema) }),
    access: readOnly && trustAnnotations ? "read" : "opaque",
    timeoutMs,
    async handler(input: unknown, { signal }: ToolContext) {
      try {
        const params = { name: foreign.name, arguments: input };
        return readForeignAnswer(await connection.request("tools/call", params, signal));
      } catch (error) {
        signal.throwIfAborted();
        complain(onError, error);
        return error instanceof McpRefusal ? refused(error) : lost();
      }
    },
    // The message has it all.
    render: () => "",
  });
  // A tool for a list of tools of every kind.
  return tool as unknown as Tool;
}

function refused({ message }: McpRefusal) {
  return fail(`The server refused the call: ${cleanText(message, MAX_REFUSAL)}`);
}

function lost() {
  return fail(
    "The server of this tool cannot be reached, or ended in the call; what became of the call there is not known.",
    { hint: "The next call connects anew. If that fails too, go on without this tool." },
  );
}
