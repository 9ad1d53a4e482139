export { RunFiles, type RunFilesOptions } from "./node/run-files.js";
export type { RunSource } from "./source/run-source.js";
export { SourceError } from "./source/source-error.js";
