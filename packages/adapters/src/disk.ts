export { DiskRun, type InterruptedCall } from "./run/disk-run.js";
export { DiskRunError, type DiskRunErrorCode, isDiskRunError } from "./run/disk-run-error.js";
export type { DiskRunOptions } from "./run/disk-run-options.js";
