import { createMcpServer } from "./create-mcp-server.js";
import { editor } from "./editor.test.support.js";
import { serveStdio } from "./serve-stdio.js";

// A server for tests. It ends when its client has disconnected.
const { prompt, session } = editor();
await serveStdio(() => createMcpServer(prompt, session, { name: "editor" }));
