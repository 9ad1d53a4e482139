export {
  type OpenTranscriptOptions,
  openTranscript,
} from "./transcript/transcript-file.js";
export type { Redact } from "./transcript/transcript-parts.js";
