import type { JsonSchema } from "@wink/prompt";
import { parseArguments } from "../runtime/call/parse-arguments.js";
import { DEFAULT_CALL_LIMITS } from "../runtime/context/limits.js";
import { cleanText } from "./clean-text.js";
import type { McpConnection, Reply } from "./mcp-connection.js";
import { isUsableSchema } from "./usable-schema.js";

/** A tool as a foreign server declares it, once it is known to be one. */
export interface ForeignTool {
  /** As the server wants to hear it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  /** Whether the server says of it that it changes nothing. */
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

/** Everything that the server offers, as far as the limits go. */
export async function listForeignTools(
  connection: McpConnection,
  limits: ForeignToolLimits,
  signal: AbortSignal,
): Promise<ForeignToolList> {
  const tools: ForeignTool[] = [];
  const leftOut: LeftOutTool[] = [];
  let cursor: unknown;
  // Each page costs one of the tools that are allowed, so that a list of empty pages ends too.
  for (let page = 0; page < limits.maxTools; page++) {
    const params = typeof cursor === "string" ? { cursor } : {};
    const reply = await connection.request("tools/list", params, signal);
    for (const declared of Array.isArray(reply["tools"]) ? reply["tools"] : []) {
      const read = readTool(declared, limits);
      if ("reason" in read) leftOut.push(read);
      else if (tools.length < limits.maxTools) tools.push(read);
      else leftOut.push({ name: read.name, reason: `more than ${limits.maxTools} tools` });
      // Somebody who sends that much wants to fill memory.
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
  const { name, description, annotations } = declared;
  const shown = cleanText(name, 64);
  if (name.length > MAX_NAME) return { name: shown, reason: "its name is too long" };
  const inputSchema = readSchema(declared["inputSchema"], limits);
  if (inputSchema === undefined)
    return { name: shown, reason: "its inputSchema is no object's, or too large or deep" };
  if (!isUsableSchema(inputSchema)) return { name: shown, reason: "its schema cannot be used" };
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

/** A schema of an object, its texts cleaned; `undefined` for anything else. */
function readSchema(schema: unknown, limits: ForeignToolLimits): JsonSchema | undefined {
  // A schema comes as an object of JSON, as arguments do, and is as bad when it has no floor.
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
