export { DiskRun, type InterruptedCall } from "./disk/disk-run.js";
export { DiskRunError, type DiskRunErrorCode, isDiskRunError } from "./disk/disk-run-error.js";
export type { DiskRunOptions } from "./disk/disk-run-options.js";
