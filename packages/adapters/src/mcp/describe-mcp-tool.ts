import type { Tool as McpTool, ToolAnnotations } from "@modelcontextprotocol/server";
import type { JsonSchema, RenderedTool } from "@wink/prompt";
import { describeTool } from "@wink/prompt/adapter";

/** Describes a tool for `tools/list`. */
export function describeMcpTool(tool: RenderedTool): McpTool {
  const outputSchema = outputSchemaOf(tool);
  return {
    name: tool.name,
    description: describeTool(tool),
    // `defineTool` guarantees that the input is an object.
    inputSchema: tool.inputSchema as McpTool["inputSchema"],
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: annotate(tool),
  };
}

/**
 * The annotations for a tool's access. A writing tool may overwrite files, so it counts as
 * destructive. A change of the session destroys nothing.
 */
function annotate({ access }: RenderedTool): ToolAnnotations {
  const reads = access === "read";
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && access !== "session",
    idempotentHint: reads,
    openWorldHint: access === "opaque",
  };
}

interface Standard {
  readonly jsonSchema?: { output(options: { readonly target: "draft-2020-12" }): JsonSchema };
}

/**
 * The schema of a tool's value after validation, if it is an object. The protocol allows only
 * objects. Clients validate the structured content with it.
 */
function outputSchemaOf({ output }: RenderedTool): McpTool["outputSchema"] {
  if (output === undefined) return undefined;
  try {
    // Not every schema library implements `jsonSchema`.
    const { jsonSchema } = output["~standard"] as Standard;
    const schema = jsonSchema?.output({ target: "draft-2020-12" });
    return schema?.["type"] === "object" ? (schema as McpTool["outputSchema"]) : undefined;
  } catch {
    // If JSON Schema cannot describe the value, the tool returns only text.
    return undefined;
  }
}
