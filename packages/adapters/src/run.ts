export type { AnswerRunOptions } from "./run/answer-run.js";
export type { BudgetAt } from "./run/budget-at.js";
export { Conversation, type ConversationOptions, type SendOptions } from "./run/conversation.js";
export type { InterruptedCall } from "./run/end-open-calls.js";
export type { ForkRunOptions } from "./run/fork-run.js";
export type { RunPark } from "./run/parking.js";
export { readRun } from "./run/read-run.js";
export { exportCassette, readCassette } from "./run/recorded-cassette.js";
export { type ContinueOptions, Run } from "./run/run.js";
export type { RunHeader, RunParent } from "./run/run-header.js";
export type {
  RunAgent,
  RunFiles,
  RunInStore,
  RunOnFilesystem,
  RunOnHost,
  RunOptions,
  RunSettings,
  StoredRunOptions,
} from "./run/run-options.js";
export type { ChildRun, PromptAt, ReadRunOptions, RunReader } from "./run/run-reader.js";
export type { RunCall, RunTurn } from "./run/run-turns.js";
export type { StoredRunSource } from "./run/store-head.js";
export type { RunProcess } from "./run/this-process.js";
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
  ContextNoted,
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
  RunResumed,
  RunStarted,
  TranscriptEntry,
  TurnEntryBase,
} from "./transcript/transcript-record.js";
