export { describeDifference } from "./model/request-difference.js";
export { compareReplay, type ReplayComparison } from "./node/compare-replay.js";
export { type ExportOptions, exportPage } from "./node/export-page.js";
export type { Omitted } from "./node/omit-contents.js";
export { findPage } from "./node/page-file.js";
export { RunFiles, type RunFilesOptions } from "./node/run-files.js";
export { InspectorServer, type ServeOptions } from "./node/serve-inspector.js";
export type { RunSource } from "./source/run-source.js";
export { SourceError } from "./source/source-error.js";
