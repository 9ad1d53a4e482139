import type { Tool as McpTool, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { describeTool, type JsonSchema, type RenderedTool, type Schema } from "@wink/prompt";

/** A tool as `tools/list` shows it. */
export function describeMcpTool(tool: RenderedTool): McpTool {
  const outputSchema = outputSchemaOf(tool);
  return {
    name: tool.name,
    description: describeTool(tool),
    // Every tool takes an object: defineTool sees to that.
    inputSchema: tool.inputSchema as McpTool["inputSchema"],
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: annotate(tool),
  };
}

/** What follows from a tool's access. A tool that writes may overwrite, so it counts as destructive. */
function annotate({ access }: RenderedTool): ToolAnnotations {
  const reads = access === "read";
  return {
    readOnlyHint: reads,
    destructiveHint: !reads,
    idempotentHint: reads,
    openWorldHint: access === "opaque",
  };
}

interface Standard {
  readonly jsonSchema?: { output(options: { readonly target: "draft-2020-12" }): JsonSchema };
}

const written = new WeakMap<Schema, McpTool["outputSchema"] | null>();

/**
 * What a tool's value is after its `output` has checked it, if that is an object: the
 * protocol allows no other. Clients hold the structured content against it.
 */
function outputSchemaOf({ output }: RenderedTool): McpTool["outputSchema"] {
  if (output === undefined) return undefined;
  let schema = written.get(output);
  if (schema === undefined) {
    schema = write(output) ?? null;
    written.set(output, schema);
  }
  return schema ?? undefined;
}

function write(output: Schema): McpTool["outputSchema"] {
  try {
    // Whether a schema has the JSON half is known only by looking.
    const { jsonSchema } = output["~standard"] as Standard;
    const schema = jsonSchema?.output({ target: "draft-2020-12" });
    return schema?.["type"] === "object" ? (schema as McpTool["outputSchema"]) : undefined;
  } catch {
    // A value that JSON Schema cannot describe is shown as text alone.
    return undefined;
  }
}
