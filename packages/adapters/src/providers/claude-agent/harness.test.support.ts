import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import type { FixtureResponse } from "@copilotkit/aimock";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { onTestFinished } from "vitest";
import type { Script } from "../aimock.test.support.js";
import { ClaudeAgentAdapter } from "./claude-agent-adapter.js";
import type { ClaudeAgentAdapterOptions, ClaudeQuery } from "./claude-agent-options.js";

/**
 * The SDK with the real Claude Code, if `WINK_CLAUDE_AGENT_SDK` names its module: it has 400 MB. Otherwise a small
 * harness with the same interface.
 */
const sdk = process.env["WINK_CLAUDE_AGENT_SDK"];

export async function claudeAgent(
  url: string,
  options: ClaudeAgentAdapterOptions = {},
): Promise<ClaudeAgentAdapter> {
  const home = mkdtempSync(join(tmpdir(), "wink-claude-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const query: ClaudeQuery = sdk === undefined ? smallHarness : (await import(sdk)).query;
  return new ClaudeAgentAdapter({
    model: "claude-sonnet-4-6",
    query,
    env: {
      ...{ ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: url, HOME: home, CLAUDE_CONFIG_DIR: home },
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    ...options,
  });
}

/** The same answers, with the names that Claude Code gives to tools. */
export function inHarness(script: Script): Script {
  return (request) => {
    const answer = script(request) as FixtureResponse & {
      toolCalls?: readonly { readonly name: string }[];
    };
    if (answer.toolCalls === undefined) return answer;
    const names = (request.tools ?? []).map((tool) => tool.function.name);
    const toolCalls = answer.toolCalls.map((call) => ({
      ...call,
      name: names.find((name) => name.endsWith(`__${call.name}`)) ?? call.name,
    }));
    return { ...answer, toolCalls } as FixtureResponse;
  };
}

interface Options {
  readonly model: string;
  readonly systemPrompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly abortController: AbortController;
  readonly mcpServers: {
    readonly wink: { readonly instance: { connect(transport: never): Promise<void> } };
  };
}

async function* smallHarness({ prompt, options }: Parameters<ClaudeQuery>[0]) {
  const { model, systemPrompt, env, abortController, mcpServers } = options as never as Options;
  const { signal } = abortController;
  const tools = new Client({ name: "harness", version: "1.0.0" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServers.wink.instance.connect(theirs as never);
  await tools.connect(ours);
  const api = new Anthropic({
    ...{ apiKey: env["ANTHROPIC_API_KEY"] ?? "", baseURL: env["ANTHROPIC_BASE_URL"] ?? "" },
    maxRetries: 0,
  });
  const messages: Anthropic.MessageParam[] = [];
  for await (const { message } of prompt as AsyncIterable<{ message: Anthropic.MessageParam }>) {
    messages.push(message);
    for (;;) {
      const listed = (await tools.listTools()).tools;
      const stream = await api.messages.create(
        {
          ...{ model, messages, max_tokens: 1_000, system: systemPrompt, stream: true },
          tools: listed.map(({ name, description = "", inputSchema }) => ({
            ...{ name: `mcp__wink__${name}`, description, input_schema: inputSchema as never },
          })),
        },
        { signal },
      );
      const blocks: (Anthropic.ContentBlock & { json?: string })[] = [];
      for await (const event of stream) {
        yield { type: "stream_event", event, parent_tool_use_id: null };
        if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block };
        const block = "index" in event ? blocks[event.index] : undefined;
        if (event.type !== "content_block_delta" || block === undefined) continue;
        const { delta } = event;
        if (delta.type === "text_delta" && block.type === "text") block.text += delta.text;
        if (delta.type === "input_json_delta") block.json = (block.json ?? "") + delta.partial_json;
      }
      const calls: Anthropic.ToolUseBlock[] = [];
      const content = blocks.map(({ json, ...block }) => {
        if (block.type !== "tool_use") return block as Anthropic.ContentBlock;
        const call = { ...block, input: json ? JSON.parse(json) : block.input };
        calls.push(call);
        return call;
      });
      messages.push({ role: "assistant", content });
      if (calls.length === 0) break;
      const results: Anthropic.ToolResultBlockParam[] = [];
      for (const { id, name, input } of calls) {
        const { content: parts, isError } = await tools.callTool({
          ...{
            name: name.slice("mcp__wink__".length),
            arguments: input as Record<string, unknown>,
          },
          _meta: { "claudecode/toolUseId": id },
        });
        const text = (parts as { text?: string }[]).map((part) => part.text ?? "").join("\n");
        const failed = isError === true ? { is_error: true } : {};
        results.push({ type: "tool_result", tool_use_id: id, content: text, ...failed });
      }
      messages.push({ role: "user", content: results });
    }
    yield { type: "result", subtype: "success", is_error: false };
  }
}
