// The official MCP client talks to a WINK workspace: it lists tools, edits, and restores a snapshot.
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";

const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", "--conditions=@wink/source", "server.ts"],
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { TSX_DISABLE_CACHE: "1" },
  }),
);

try {
  const { tools } = await client.listTools();
  console.log(`${tools.length} tools: ${tools.map(({ name }) => name).join(", ")}\n`);
  assert(tools.some(({ name }) => name === "edit_file"));
  assert.equal(tools.find(({ name }) => name === "grep")?.annotations?.readOnlyHint, true);

  await call("snapshot_create", { name: "before" });
  await call("read_file", { file_path: "greet.ts" });
  const edit = { file_path: "greet.ts", old_string: '"hello"', new_string: '"hi"' };
  assert.match(await call("edit_file", edit), /1 replacement/);
  assert.match(await call("snapshot_diff", { name: "before" }), /\+export const greeting = "hi";/);

  // An invalid call gets an answer with the valid options, and changes nothing.
  assert.match(await call("edit_file", edit), /String not found/);

  await call("snapshot_restore", { name: "before" });
  assert.match(await call("read_file", { file_path: "greet.ts" }), /"hello"/);
} finally {
  await client.close();
}

async function call(name: string, input: Record<string, unknown>): Promise<string> {
  const answer = await client.callTool({ name, arguments: input }, CallToolResultSchema);
  const { content, isError } = CallToolResultSchema.parse(answer);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  console.log(`${name}${isError ? " (failed)" : ""}: ${text.split("\n")[0]}`);
  return text;
}
