export { type Cassette, type CassetteEntry, parseCassette } from "./replay/cassette.js";
export { DEFAULT_IGNORED_PATTERNS } from "./replay/ignored-patterns.js";
export { RecordingModel } from "./replay/recording-model.js";
export { ReplayAdapter, type ReplayAdapterOptions } from "./replay/replay-adapter.js";
