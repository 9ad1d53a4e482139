export { DiskRun, type InterruptedCall } from "./run/disk-run.js";
export type { DiskRunOptions } from "./run/disk-run-options.js";
