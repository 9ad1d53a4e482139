import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { BoundPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { InteropOptions } from "../interop/interop-options.js";
import { PromptTools } from "../interop/prompt-tools.js";
import { complain } from "../runtime/context/complain.js";
import { reportProgress } from "./call-progress.js";
import { describeMcpTool } from "./describe-mcp-tool.js";
import { toCallToolResult } from "./to-call-tool-result.js";

export interface McpServerOptions extends InteropOptions {
  /** What the server calls itself. @default "wink" */
  readonly name?: string | undefined;
  /** @default "1.0.0" */
  readonly version?: string | undefined;
  /** How often a client that asked for progress hears that a call is under way. @default 5_000 */
  readonly progressIntervalMs?: number | undefined;
}

/**
 * A prompt as an MCP server: its text is the server's instructions, its tools are the
 * server's tools.
 *
 * Each call is a transaction over files and session, over however many servers are made
 * of one session. A call that the client cancels, or whose connection ends, is undone.
 * The answer to a failed one says what was undone.
 *
 * The server has one connection: give it to `serveStdio`, `connect` it to a transport, or let
 * `serveHttp` make one for each client. `close` resolves when no call is under way. Opens
 * the prompt and does not close it.
 */
export async function createMcpServer(
  prompt: BoundPrompt,
  session: Session,
  options: McpServerOptions = {},
): Promise<McpServer> {
  return new PromptServer(await PromptTools.open(prompt, session, options), options);
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
    const tellError = (error: unknown) => complain(options.onError, error, "mcp");
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
      // A client's own numbers begin anew with each connection.
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
        // Along with the answer: over HTTP a client need not listen to anything else.
        if (this.#noteOffered())
          await extra.sendNotification({ method: "notifications/tools/list_changed" });
        return toCallToolResult(outcome);
      } finally {
        stopProgress();
      }
    });
  }

  /** Whether the tools are others than last time. */
  #noteOffered(): boolean {
    const offered = JSON.stringify(this.#tools.render().tools.map(describeMcpTool));
    const changed = offered !== this.#offered;
    this.#offered = offered;
    return changed;
  }
}
