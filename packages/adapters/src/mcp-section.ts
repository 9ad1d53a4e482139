export type { LeftOutTool } from "./mcp/foreign-tools.js";
export { type McpMountOptions, McpSection, type McpSectionOptions } from "./mcp/mcp-section.js";
export type { McpCommand, McpTarget, McpTransport, McpUrl } from "./mcp/mcp-target.js";
export type { McpProgress } from "./mcp/mount-foreign-tool.js";
