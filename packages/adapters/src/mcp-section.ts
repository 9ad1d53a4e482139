export type { LeftOutTool } from "./mcp/foreign-tools.js";
export { type McpMountOptions, McpSection, type McpSectionOptions } from "./mcp/mcp-section.js";
export {
  isMcpSectionError,
  McpSectionError,
  type McpSectionErrorCode,
  type McpSectionErrorOptions,
} from "./mcp/mcp-section-error.js";
export type { McpCommand, McpTarget, McpTransport, McpUrl } from "./mcp/mcp-target.js";
