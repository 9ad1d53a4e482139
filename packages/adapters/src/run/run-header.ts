import { createRequire } from "node:module";
import type { JsonValue } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import type { RunLimits } from "../transcript/transcript-record.js";
import type { RunProcess } from "./this-process.js";

const RUN_FORMAT = "wink-run";
const RUN_VERSION = 1;

/** What is known about a run as a whole: `run.json`. */
export interface RunHeader {
  readonly format: typeof RUN_FORMAT;
  readonly version: typeof RUN_VERSION;
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly versions: { readonly wink: string; readonly node: string };
  /** The agent's name, if the caller gave one. */
  readonly agent?: string | undefined;
  /** The agent's parameters, if the caller gave them. */
  readonly params?: JsonValue | undefined;
  /** The model's name, if the caller gave one. */
  readonly model?: string | undefined;
  /** The process that created the run. Events say which process took it over. */
  readonly startedBy?: RunProcess | undefined;
  /** The run and the event that this run was forked from. */
  readonly forkedFrom?: { readonly run: string; readonly sequence: number } | undefined;
  /** The adapter, the prompt as `ns/key` with its hash, and the limits, of the first evaluation. */
  readonly adapter?: string | undefined;
  readonly prompt?: { readonly name: string; readonly hash: string } | undefined;
  readonly limits?: RunLimits | undefined;
  /** The state of the files when the run was created. Missing if the run stores no states. */
  readonly base?: string | undefined;
  /** The directory with the states, relative to the run's. */
  readonly store?: string | undefined;
  /** The run that started this one as a subagent, and its start event. */
  readonly parent?: RunParent | undefined;
  /** Texts of the transcript were replaced when they were written, so the run cannot be resumed. */
  readonly redacted?: true | undefined;
  /** Set for a queued subagent, in the run that started it. The subagent's run has its own entry in the same store. */
  readonly queued?: true | undefined;
}

export interface RunParent {
  readonly run: string;
  /** The number of the `run.start-tool-call` event. */
  readonly sequence: number;
  readonly toolCallId: string;
  /** How many subagents the run is nested in. Only for a queued subagent. */
  readonly depth?: number | undefined;
}

export function createHeader(
  facts: Omit<RunHeader, "format" | "version" | "startedAt" | "versions">,
): RunHeader {
  return {
    format: RUN_FORMAT,
    version: RUN_VERSION,
    startedAt: new Date().toISOString(),
    versions: { wink: winkVersion(), node: process.versions.node },
    ...facts,
  };
}

/** Parses `run.json`. Throws `RUN_INVALID`. */
export function parseHeader(json: string): RunHeader {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw invalid("it is not JSON", cause);
  }
  const { format, version, id, startedAt }: Partial<Record<string, unknown>> = { ...Object(value) };
  if (format !== RUN_FORMAT) throw invalid("it is not the header of a run");
  if (version !== RUN_VERSION)
    throw invalid(`its version is ${version}. This WINK reads ${RUN_VERSION}`);
  if (typeof id !== "string" || typeof startedAt !== "string")
    throw invalid("it has no id or no time");
  // Only optional fields remain, and readers treat them as foreign data.
  return value as RunHeader;
}

function invalid(reason: string, cause?: unknown): AdapterError {
  return new AdapterError("RUN_INVALID", { subject: "run.json", reason, cause });
}

function winkVersion(): string {
  try {
    const manifest: { version?: unknown } = createRequire(import.meta.url)("../../package.json");
    return String(manifest.version);
  } catch {
    // In a bundle there is no manifest.
    return "unknown";
  }
}
