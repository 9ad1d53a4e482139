// A workspace as an MCP server over stdio: file tools, snapshots, and a transaction around every call.
import { createMcpServer, serveStdio } from "@wink/adapters/mcp";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { SnapshotToolsSection, VfsToolsSection } from "@wink/tools";

const session = new Session();
const workspace = await VfsToolsSection.create({
  session,
  files: { "greet.ts": 'export const greeting = "hello";\n' },
});
const template = new PromptTemplate({
  ns: "examples",
  key: "mcp-server",
  sections: [workspace, new SnapshotToolsSection()],
});
// Standard output belongs to the protocol: print messages for people with `console.error`.
const prompt = new Prompt(template).bind({});
await serveStdio(() => createMcpServer(prompt, session));
