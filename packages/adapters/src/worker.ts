export { AgentLoopGroup, type AgentLoopGroupOptions } from "./group/agent-loop-group.js";
export type { WatchdogOptions } from "./group/watchdog.js";
