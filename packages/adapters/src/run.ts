export type { BudgetAt } from "./run/budget-at.js";
export type { InterruptedCall } from "./run/end-open-calls.js";
export { readRun } from "./run/read-run.js";
export { exportCassette, readCassette } from "./run/recorded-cassette.js";
export { Run } from "./run/run.js";
export type { RunHeader, RunParent } from "./run/run-header.js";
export type {
  RunFiles,
  RunOnFilesystem,
  RunOnHost,
  RunOptions,
  RunSettings,
} from "./run/run-options.js";
export type { ChildRun, PromptAt, ReadRunOptions, RunReader } from "./run/run-reader.js";
export type { RunCall, RunTurn } from "./run/run-turns.js";
export type { ShownSection } from "./transcript/conversation.js";
export {
  type OpenTranscriptOptions,
  openTranscript,
} from "./transcript/transcript-file.js";
export type { Redact } from "./transcript/transcript-parts.js";
export type {
  ApprovalNoted,
  CallAnswered,
  CallStarted,
  EntryBase,
  MessagesAdded,
  ModelAnswered,
  ModelAsked,
  ModelFailed,
  ParkAnswered,
  PartId,
  RunEnded,
  RunLimits,
  RunParked,
  RunStarted,
  TranscriptEntry,
  TurnEntryBase,
} from "./transcript/transcript-record.js";
