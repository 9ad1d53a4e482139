import { randomUUID } from "node:crypto";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { BoundPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import { INTEROP_OPTIONS, type InteropOptions } from "../interop/interop-options.js";
import { PromptTools } from "../interop/prompt-tools.js";
import { reportError } from "../runtime/context/report-error.js";
import { reportProgress } from "./call-progress.js";
import { describeMcpTool } from "./describe-mcp-tool.js";
import { ElicitedApproval } from "./elicit-approval.js";
import { PromptResources } from "./prompt-resources.js";
import { toCallToolResult } from "./to-call-tool-result.js";

export interface McpServerOptions extends InteropOptions {
  /** The server's name. @default "wink" */
  readonly name?: string | undefined;
  /** @default "1.0.0" */
  readonly version?: string | undefined;
  /** How often a client that asked for progress is notified during a call. @default 5_000 */
  readonly progressIntervalMs?: number | undefined;
  /** Whether clients can read the files, their changes and snapshots as resources. @default true */
  readonly resources?: boolean | undefined;
  /**
   * Returns the changes so far as a patch, for the resource `wink://diff`. @default in memory the changes since the first
   * server was made; elsewhere there is no such resource
   */
  readonly changes?: (() => Promise<string>) | undefined;
}

const OPTIONS = [
  ...INTEROP_OPTIONS,
  "name",
  "version",
  "progressIntervalMs",
  "resources",
  "changes",
];

/**
 * Creates an MCP server from a prompt: the prompt's text becomes the instructions and a prompt that clients can ask for,
 * its tools become the server's tools, and its files become resources.
 *
 * Each call is a transaction over files and session, also if several servers share one session. If the client cancels a
 * call or disconnects, the call is rolled back. The answer to a failed call lists the rolled-back changes.
 *
 * A call that a policy holds is shown to the client's user, by elicitation. If the client cannot ask, the call is denied.
 *
 * A server has one connection: let `serveStdio` or `serveHttp` create one for each client, or `connect` it to a
 * transport. `close` resolves when no call is running. Opens the prompt and does not close it.
 */
export async function createMcpServer(
  prompt: BoundPrompt,
  session: Session,
  options: McpServerOptions = {},
): Promise<McpServer> {
  const subject = "createMcpServer";
  const tools = await PromptTools.open(prompt, session, options, { subject, known: OPTIONS });
  const files = options.resources === false ? undefined : tools.filesystem;
  return new PromptServer(tools, await PromptResources.open(files, options.changes), options);
}

/** The server of a prompt. */
export class PromptServer extends McpServer {
  /** Called instead of a notification when the tools have changed and the protocol has no connection to send one on. */
  onToolsChanged: (() => void) | undefined;
  readonly #tools: PromptTools;
  readonly #unwatch: () => void;
  #offered = "";

  constructor(
    tools: PromptTools,
    resources: PromptResources | undefined,
    options: McpServerOptions,
  ) {
    const { name = "wink", version = "1.0.0" } = options;
    const capabilities = {
      tools: { listChanged: true },
      prompts: {},
      ...(resources && { resources: {} }),
    };
    super({ name, version }, { capabilities, instructions: tools.render().text });
    this.#tools = tools;
    this.#answerCalls(options);
    this.#answerPrompts(name);
    if (resources !== undefined) this.#answerResources(resources);
    this.#noteOffered();
    const tellError = (error: unknown) => reportError(options.onError, error, "mcp");
    this.#unwatch = tools.watch(() => {
      if (!this.#noteOffered()) return;
      this.onToolsChanged?.();
      if (this.isConnected() && this.onToolsChanged === undefined)
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

  #answerCalls({ progressIntervalMs = 5_000 }: McpServerOptions): void {
    const tools = this.#tools;
    const { session } = tools;
    this.server.setRequestHandler("tools/list", () => ({
      tools: tools.render().tools.map(describeMcpTool),
    }));
    this.server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      // The client's request ids are not unique, because they restart with each connection.
      const toolCallId = randomUUID();
      const { name: toolName, arguments: input = {} } = params;
      const stopProgress = reportProgress({
        ...{ toolCallId, toolName, session, progressToken: mcpReq._meta?.progressToken },
        intervalMs: progressIntervalMs,
        send: (notification) => mcpReq.notify(notification),
      });
      try {
        const tool = tools.render().tools.find(({ name }) => name === toolName);
        const call = { toolCallId, toolName, arguments: input };
        const approval = new ElicitedApproval(mcpReq, this.server.getClientCapabilities());
        const outcome = await tools.call(call, mcpReq.signal, approval.onApproval);
        if (approval.question !== undefined) return approval.question;
        await this.#tellChangedTools(mcpReq);
        const hasSchema = tool !== undefined && describeMcpTool(tool).outputSchema !== undefined;
        return toCallToolResult(outcome, { structured: hasSchema });
      } finally {
        stopProgress();
      }
    });
  }

  #answerPrompts(name: string): void {
    const description = "The instructions of this server, as the first message of a conversation.";
    this.server.setRequestHandler("prompts/list", () => ({ prompts: [{ name, description }] }));
    this.server.setRequestHandler("prompts/get", () => {
      const { text } = this.#tools.render();
      return { description, messages: [{ role: "user", content: { type: "text", text } }] };
    });
  }

  #answerResources(resources: PromptResources): void {
    this.server.setRequestHandler("resources/list", ({ params }) => resources.list(params?.cursor));
    this.server.setRequestHandler("resources/templates/list", () => resources.templates());
    this.server.setRequestHandler("resources/read", ({ params }, { mcpReq }) =>
      resources.read(params.uri, mcpReq.signal),
    );
  }

  /** Sent with the answer, because a client over HTTP may not listen to any other stream. */
  async #tellChangedTools({ envelope, notify }: ServerContext["mcpReq"]): Promise<void> {
    if (!this.#noteOffered()) return;
    if (envelope === undefined) await notify({ method: "notifications/tools/list_changed" });
    else if (this.onToolsChanged !== undefined) this.onToolsChanged();
    else await this.server.sendToolListChanged();
  }

  /** Whether the tools have changed since the last call. */
  #noteOffered(): boolean {
    const offered = JSON.stringify(this.#tools.render().tools.map(describeMcpTool));
    const changed = offered !== this.#offered;
    this.#offered = offered;
    return changed;
  }
}
