import { createMcpServer } from "./create-mcp-server.js";
import { editor } from "./editor.test.support.js";
import { serveStdio } from "./serve-stdio.js";

// A server for tests: ends by itself when its client has gone.
const { prompt, session } = editor();
await serveStdio(await createMcpServer(prompt, session, { name: "editor" }));
