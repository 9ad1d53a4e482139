import type { JsonSchema } from "@wink/prompt";
import { parseArguments } from "../runtime/call/parse-arguments.js";
import { DEFAULT_CALL_LIMITS } from "../runtime/context/limits.js";
import { cleanText } from "./clean-text.js";
import type { McpConnection, Reply } from "./mcp-connection.js";
import { isUsableSchema } from "./usable-schema.js";

/** A validated tool of a foreign server. */
export interface ForeignTool {
  /** The server's name of the tool. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  /** Whether the server declares the tool as read-only. */
  readonly readOnly: boolean;
}

/** A tool that is not mounted. */
export interface LeftOutTool {
  readonly name: string;
  readonly reason: string;
}

export interface ForeignToolLimits {
  readonly maxTools: number;
  readonly maxDescriptionCharacters: number;
  readonly maxSchemaCharacters: number;
}

export interface ForeignToolList {
  readonly tools: readonly ForeignTool[];
  readonly leftOut: readonly LeftOutTool[];
}

const MAX_NAME = 256;
const SCHEMA_LIMITS = { ...DEFAULT_CALL_LIMITS, maxArgumentsDepth: 64 };

/** Lists the server's tools, up to the limits. */
export async function listForeignTools(
  connection: McpConnection,
  limits: ForeignToolLimits,
  signal: AbortSignal,
): Promise<ForeignToolList> {
  const tools: ForeignTool[] = [];
  const leftOut: LeftOutTool[] = [];
  let cursor: unknown;
  // At most `maxTools` pages, so that an endless list of empty pages ends too.
  for (let page = 0; page < limits.maxTools; page++) {
    const params = typeof cursor === "string" ? { cursor } : {};
    const reply = await connection.request("tools/list", params, signal);
    for (const declared of Array.isArray(reply["tools"]) ? reply["tools"] : []) {
      const read = readTool(declared, limits);
      if ("reason" in read) leftOut.push(read);
      else if (tools.length < limits.maxTools) tools.push(read);
      else leftOut.push({ name: read.name, reason: `more than ${limits.maxTools} tools` });
      // A server that sends this many unusable tools may be trying to fill memory.
      if (leftOut.length >= limits.maxTools) return { tools, leftOut };
    }
    cursor = reply["nextCursor"];
    if (typeof cursor !== "string" || cursor === "") break;
  }
  return { tools, leftOut };
}

function readTool(declared: unknown, limits: ForeignToolLimits): ForeignTool | LeftOutTool {
  if (!isRecord(declared) || typeof declared["name"] !== "string" || declared["name"] === "")
    return { name: "", reason: "it has no name" };
  const { name, description, annotations, execution } = declared;
  const shown = cleanText(name, 64);
  if (name.length > MAX_NAME) return { name: shown, reason: "its name is too long" };
  const inputSchema = readSchema(declared["inputSchema"], limits);
  if (inputSchema === undefined)
    return {
      name: shown,
      reason: "its inputSchema does not describe an object, or is too large or too deep",
    };
  if (!isUsableSchema(inputSchema)) return { name: shown, reason: "its schema cannot be used" };
  if (isRecord(execution) && execution["taskSupport"] === "required")
    return { name: shown, reason: "it can only run as a task of the protocol" };
  const outputSchema = readSchema(declared["outputSchema"], limits);
  return {
    name,
    description: cleanText(
      typeof description === "string" ? description : "",
      limits.maxDescriptionCharacters,
    ),
    inputSchema,
    outputSchema: outputSchema && isUsableSchema(outputSchema) ? outputSchema : undefined,
    readOnly: isRecord(annotations) && annotations["readOnlyHint"] === true,
  };
}

/** Parses and cleans the schema of an object. `undefined` for anything else. */
function readSchema(schema: unknown, limits: ForeignToolLimits): JsonSchema | undefined {
  // The checks for arguments apply to a schema too: it must be a JSON object with limited depth.
  const checked = parseArguments(schema, SCHEMA_LIMITS);
  if (!checked.success || checked.value["type"] !== "object") return undefined;
  const written = JSON.stringify(checked.value);
  if (written.length > limits.maxSchemaCharacters) return undefined;
  return JSON.parse(written, (_, value: unknown) =>
    typeof value === "string" ? cleanText(value, limits.maxDescriptionCharacters) : value,
  );
}

export function isRecord(value: unknown): value is Reply {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
