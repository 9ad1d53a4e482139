import { createHash } from "node:crypto";
import { hostname } from "node:os";

/** Which process works on a run. The name of the machine is hashed, because logs are shared. */
export interface RunProcess {
  readonly process: number;
  /** A hash of the machine's name. */
  readonly host: string;
  /** The name that the worker gave itself. */
  readonly worker?: string;
}

export function thisProcess(worker: string | undefined): RunProcess {
  const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 12);
  return { process: process.pid, host, ...(worker !== undefined && { worker }) };
}
