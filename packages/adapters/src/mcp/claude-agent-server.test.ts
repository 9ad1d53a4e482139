import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { toClaudeAgentServer } from "./claude-agent-server.js";
import { editor } from "./editor.test.support.js";
import { call, inMemory, textOf } from "./mcp-clients.test.support.js";

describe("toClaudeAgentServer", () => {
  it("returns a server of the official SDK, in the form that the Claude Agent SDK accepts (AD-51)", async () => {
    const { prompt, session, content } = editor();
    const { instance, ...config } = await toClaudeAgentServer(prompt, session, { name: "files" });
    expect(config).toEqual({ type: "sdk", name: "files" });
    expect(instance).toBeInstanceOf(McpServer);
    // Like the Claude Agent SDK: an in-process transport.
    const client = await inMemory(instance);
    expect(client.getServerVersion()).toMatchObject({ name: "files" });
    expect((await call(client, "add_line", { text: "one" })).isError).toBeUndefined();
    expect(textOf(await call(client, "break_file"))).toContain("undone");
    expect(await content()).toBe("one\n");
  });
});
