export type * from "./model/run-overview.js";
export { EVENT_FLAGS } from "./model/run-overview.js";
export type * from "./model/run-views.js";
export type * from "./source/run-source.js";
