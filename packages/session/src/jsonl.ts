export { followLog } from "./jsonl/follow-log.js";
export { indexLog } from "./jsonl/index-log.js";
export { LogIndex } from "./jsonl/log-index.js";
export type { LogRecord } from "./jsonl/log-record.js";
export { replayLog } from "./jsonl/replay-log.js";
export type { ReplayOptions } from "./jsonl/replayer.js";
export {
  type LogLines,
  type ReturnPoint,
  SessionLog,
  type SessionLogOptions,
} from "./jsonl/session-log.js";
