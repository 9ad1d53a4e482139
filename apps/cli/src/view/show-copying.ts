import type { MountProgress } from "@wink/workspace";
import type { StatusLine } from "../terminal/status-line.js";
import { count, size } from "./amounts.js";

/** Shows the progress of a copy. Pass it as `onProgress`. */
export function showCopying(status: StatusLine): (progress: MountProgress) => void {
  return ({ fileCount, totalBytes }) =>
    status.show("copying", `${count(fileCount, "file")}, ${size(totalBytes)}`);
}
