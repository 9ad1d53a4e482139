export { createMcpServer, type McpServerOptions } from "./mcp/create-mcp-server.js";
export { type HttpService, serveHttp } from "./mcp/serve-http.js";
export type { ServeHttpOptions } from "./mcp/serve-http-options.js";
export { serveStdio } from "./mcp/serve-stdio.js";
