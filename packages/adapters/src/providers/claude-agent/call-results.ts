import { type CallToolResult, McpServer, type Tool } from "@modelcontextprotocol/server";
import type { ModelMessage, ModelTool } from "../../runtime/loop/model-client.js";

export const SERVER = "wink";
/** How Claude Code names the tools of the server. */
export const TOOL_PREFIX = `mcp__${SERVER}__`;

type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;

interface Waiting {
  readonly promise: Promise<CallToolResult>;
  readonly resolve: (result: CallToolResult) => void;
}

/**
 * The tools that Claude Code sees, as an MCP server in this process. The loop runs a call when it receives the turn;
 * Claude Code's own call waits here for that result.
 */
export class CallResults {
  readonly #server: McpServer;
  readonly #byId = new Map<string, Waiting>();
  #tools: readonly ModelTool[];

  constructor(tools: readonly ModelTool[]) {
    this.#tools = tools;
    this.#server = new McpServer(
      { name: SERVER, version: "1.0.0" },
      { capabilities: { tools: { listChanged: true } } },
    );
    this.#server.server.setRequestHandler("tools/list", () => ({
      tools: this.#tools.map(describe),
    }));
    this.#server.server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      // Claude Code names the call of the model that it makes.
      const id = (mcpReq._meta ?? params._meta)?.["claudecode/toolUseId"];
      if (typeof id !== "string")
        return failure("This version of Claude Code does not name its calls.");
      return await this.#waiting(id).promise;
    });
  }

  get server() {
    return { type: "sdk", name: SERVER, instance: this.#server } as const;
  }

  async offer(tools: readonly ModelTool[]): Promise<void> {
    const changed = JSON.stringify(tools) !== JSON.stringify(this.#tools);
    this.#tools = tools;
    if (changed && this.#server.isConnected()) await this.#server.server.sendToolListChanged();
  }

  put({ toolCallId, text, success, images = [] }: ToolMessage, notes: readonly string[]): void {
    this.#waiting(toolCallId).resolve({
      content: [
        { type: "text", text: [text, ...notes].join("\n\n") },
        ...images.map(({ data, mediaType }) => ({
          ...{ type: "image" as const, data, mimeType: mediaType },
        })),
      ],
      ...(!success && { isError: true }),
    });
  }

  close(): void {
    for (const { resolve } of this.#byId.values()) resolve(failure("The run has ended."));
  }

  #waiting(id: string): Waiting {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    let resolve: Waiting["resolve"] = () => {};
    const promise = new Promise<CallToolResult>((done) => {
      resolve = done;
    });
    const waiting = { promise, resolve };
    this.#byId.set(id, waiting);
    return waiting;
  }
}

function describe({ name, description, inputSchema }: ModelTool): Tool {
  // `defineTool` guarantees that the input is an object.
  return { name, description, inputSchema: inputSchema as Tool["inputSchema"] };
}

function failure(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
