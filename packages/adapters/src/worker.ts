export { AgentLoopGroup, type AgentLoopGroupOptions } from "./group/agent-loop-group.js";
export {
  defineQueuedSubagentTool,
  type QueuedSubagentToolOptions,
} from "./group/define-queued-subagent-tool.js";
export {
  type RunRequestResult,
  type RunRequestsOptions,
  runRequests,
} from "./group/run-requests.js";
export type { WatchdogOptions } from "./group/watchdog.js";
export { type OpenQueueOptions, openQueue } from "./queues/open-queue.js";
