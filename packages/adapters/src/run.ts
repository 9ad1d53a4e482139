export {
  type OpenTranscriptOptions,
  openTranscript,
  type TranscriptFile,
} from "./transcript/transcript-file.js";
export type { Redact } from "./transcript/transcript-parts.js";
