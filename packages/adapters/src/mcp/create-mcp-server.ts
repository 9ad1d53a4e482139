import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { BoundPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import { INTEROP_OPTIONS, type InteropOptions } from "../interop/interop-options.js";
import { PromptTools } from "../interop/prompt-tools.js";
import { reportError } from "../runtime/context/report-error.js";
import { reportProgress } from "./call-progress.js";
import { describeMcpTool } from "./describe-mcp-tool.js";
import { toCallToolResult } from "./to-call-tool-result.js";

export interface McpServerOptions extends InteropOptions {
  /** The server's name. @default "wink" */
  readonly name?: string | undefined;
  /** @default "1.0.0" */
  readonly version?: string | undefined;
  /** How often a client that asked for progress is notified during a call. @default 5_000 */
  readonly progressIntervalMs?: number | undefined;
}

const OPTIONS = [...INTEROP_OPTIONS, "name", "version", "progressIntervalMs"];

/**
 * Creates an MCP server from a prompt: the prompt's text becomes the instructions, and its tools
 * become the server's tools.
 *
 * Each call is a transaction over files and session, also if several servers share one session.
 * If the client cancels a call or disconnects, the call is rolled back. The answer to a failed
 * call lists the rolled-back changes.
 *
 * A server has one connection: pass it to `serveStdio`, `connect` it to a transport, or let
 * `serveHttp` create one for each client. `close` resolves when no call is running. Opens the
 * prompt and does not close it.
 */
export async function createMcpServer(
  prompt: BoundPrompt,
  session: Session,
  options: McpServerOptions = {},
): Promise<McpServer> {
  const subject = "createMcpServer";
  const tools = await PromptTools.open(prompt, session, options, { subject, known: OPTIONS });
  return new PromptServer(tools, options);
}

class PromptServer extends McpServer {
  readonly #tools: PromptTools;
  readonly #unwatch: () => void;
  #offered = "";

  constructor(tools: PromptTools, options: McpServerOptions) {
    const { name = "wink", version = "1.0.0" } = options;
    super(
      { name, version },
      { capabilities: { tools: { listChanged: true } }, instructions: tools.render().text },
    );
    this.#tools = tools;
    this.#answerRequests(options);
    this.#noteOffered();
    const tellError = (error: unknown) => reportError(options.onError, error, "mcp");
    this.#unwatch = tools.watch(() => {
      if (this.#noteOffered() && this.isConnected())
        this.server.sendToolListChanged().catch(tellError);
    });
    this.server.onclose = this.#unwatch;
    this.server.onerror = tellError;
  }

  override async close(): Promise<void> {
    this.#unwatch();
    await super.close();
    await this.#tools.settled();
  }

  #answerRequests({ progressIntervalMs = 5_000 }: McpServerOptions): void {
    const tools = this.#tools;
    const { session } = tools;
    this.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: tools.render().tools.map(describeMcpTool),
    }));
    this.server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      // The client's request ids are not unique, because they restart with each connection.
      const toolCallId = randomUUID();
      const { name: toolName, arguments: input = {}, _meta } = params;
      const stopProgress = reportProgress({
        ...{ toolCallId, toolName, session, progressToken: _meta?.progressToken },
        intervalMs: progressIntervalMs,
        send: (notification) => extra.sendNotification(notification),
      });
      try {
        const call = { toolCallId, toolName, arguments: input };
        const outcome = await tools.call(call, extra.signal);
        // Sent with the answer, because an HTTP client may not listen to any other stream.
        if (this.#noteOffered())
          await extra.sendNotification({ method: "notifications/tools/list_changed" });
        return toCallToolResult(outcome);
      } finally {
        stopProgress();
      }
    });
  }

  /** Whether the tools have changed since the last call. */
  #noteOffered(): boolean {
    const offered = JSON.stringify(this.#tools.render().tools.map(describeMcpTool));
    const changed = offered !== this.#offered;
    this.#offered = offered;
    return changed;
  }
}
