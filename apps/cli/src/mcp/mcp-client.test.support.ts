import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { WINK, winkEnv } from "../workspace/wink-process.test.support.js";
import type { Project } from "../workspace/workspace.test.support.js";

export interface McpConnection {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** The text of the answer, with the prefix `failed: ` for an error. */
  call(name: string, input?: Record<string, unknown>): Promise<string>;
}

/** A client of the official SDK, connected to a `wink mcp` process. */
export async function connectStdio(
  { directory, env }: Project,
  ...args: readonly string[]
): Promise<McpConnection> {
  const [command, ...rest] = WINK;
  const transport = new StdioClientTransport({
    command,
    args: [...rest, "mcp", ...args],
    cwd: directory,
    env: winkEnv(env),
    stderr: "ignore",
  });
  // A person at the client who allows new files only.
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const decision = params.message.includes("new file") ? "allow" : "deny";
    return { action: "accept", content: { decision } };
  });
  await client.connect(transport, { timeout: 300_000 });
  onTestFinished(() => client.close());
  return { client, transport, call: caller(client) };
}

export function caller(client: Client): McpConnection["call"] {
  return async (name, input = {}) => {
    const answer = await client.callTool({ name, arguments: input }, undefined, {
      timeout: 300_000,
    });
    // Tools here always answer with text.
    const [content] = answer.content as readonly { readonly text: string }[];
    return `${answer.isError ? "failed: " : ""}${content?.text ?? ""}`;
  };
}
