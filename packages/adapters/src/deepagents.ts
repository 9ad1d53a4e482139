export { toDeepAgentsBackend } from "./files/deep-agents-backend.js";
export type { DeepAgentsBackend } from "./files/deep-agents-protocol.js";
