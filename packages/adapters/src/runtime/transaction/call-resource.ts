import type { FilesystemSnapshot, PathChange, SnapshotableFilesystem } from "@wink/filesystem";
import type { ApprovalQuestion, EvaluatedRun, ParkReason, ToolImage } from "@wink/prompt";
import type { EndedToolCall } from "@wink/prompt/adapter";
import type { JsonValue, Session } from "@wink/session";
import type { Store } from "@wink/store";
import type { CallJournal } from "./call-journal.js";
import type { Queue } from "./call-queue.js";
import type { CallScope } from "./call-scope.js";

/** A call that could not be rolled back, and the resources that are unusable because of it. */
export interface FailedRollback {
  readonly resources: readonly CallResource[];
  /** Tries the rollback again. */
  run(): Promise<void>;
}

/** How a call ended, before it is committed. */
export interface CallAnswer {
  /** What the model reads, as it is added to the conversation. */
  readonly message: {
    readonly role: "tool";
    readonly toolCallId: string;
    readonly toolName: string;
    readonly text: string;
    readonly success: boolean;
    readonly images?: readonly ToolImage[];
  };
  readonly status: string;
  readonly rolledBack: boolean;
  /** What happens when the run continues, if the call was stopped with it. */
  readonly interrupted?: "again" | "unknown" | undefined;
  /** The facts for the end event of a successful call. */
  readonly facts?: Partial<Pick<EndedToolCall, "snapshot" | "files" | "changes">>;
  /** What was thrown. */
  readonly errors: readonly {
    readonly where: string;
    readonly name: string;
    readonly message: string;
    readonly stack?: string;
  }[];
}

/** What happened to a request for approval. */
export interface ApprovalNote {
  readonly approval: string;
  readonly toolCallId: string;
  readonly what: "requested" | "approved" | "denied" | "parked";
  /** What the person saw, when the question is asked. */
  readonly question?: ApprovalQuestion;
  /** Whether an earlier answer allowed the call. */
  readonly remembered?: true;
  /** Why the call was denied. */
  readonly reason?: string;
}

/** Where the contents that `files.change` events name are stored. */
export interface ContentSink {
  /** Called before the call is committed. If it rejects, the call fails. */
  set(contentId: string, bytes: Uint8Array): unknown;
}

/** The changes of a call, in order: they turn the files before the call into the files after it. */
export interface KeptChange {
  readonly toolCallId: string;
  readonly tool: string;
  readonly changes: readonly PathChange[];
  /** Whether the changes are about to be rolled back. */
  readonly isUndone: boolean;
}

/** The recorded run of a subagent. */
export interface RecordedChild {
  /** The subagent's session. Closed by `end`. */
  readonly session: Session;
  readonly run: EvaluatedRun;
  /** The files that were forked, if an earlier process began the run. The fork then has the files of its last call. */
  readonly base: FilesystemSnapshot | undefined;
  end(): Promise<void>;
}

/** A subagent's run that is about to start. */
export interface StartedChild {
  /** The session of the call. */
  readonly parent: Session;
  readonly tags: Readonly<Record<string, string>>;
  /** The subagent's fork. */
  readonly filesystem: SnapshotableFilesystem;
  readonly toolCallId: string;
  /** The stored state of the files that were forked, and the changes of the call since. */
  readonly from: { readonly state: string; readonly changes: readonly PathChange[] } | undefined;
}

/** Lets the calls of a durable run wait for something outside. */
export interface Parking {
  /** Whether the run waits for something, so that no further request must be made. */
  readonly isParked: boolean;
  /** The answer to a wait, if there is one. */
  answerOf(key: string): { readonly value: JsonValue } | undefined;
  /** Records that the run waits. */
  park(key: string, reason: ParkReason): void;
  /** Records that a wait is over. */
  settle(key: string): void;
}

/** A run in a store, for tools that create further runs in it. */
export interface StoredRun {
  readonly store: Store;
  readonly id: string;
  /** Names the run of a subagent in this run, for readers. @param header of that run */
  refer(toolCallId: string, header: object): void;
}

/** What all calls on one session or on one filesystem share. */
export class CallResource {
  readonly queue: Queue = [];
  /** Calls are refused while there are any. */
  readonly failedRollbacks: FailedRollback[] = [];
  /** Called after each call, with the object that made it. */
  readonly listeners = new Set<(caller: object) => void>();
  /** Records the changing calls on a session. */
  journal: CallJournal | undefined;
  /**
   * Stores the state of a filesystem after a call that changed it, before the call is committed, or before it is rolled
   * back. Resolves to the state's ID.
   */
  keepState: ((change: KeptChange) => Promise<string>) | undefined;
  /** The state of a filesystem when its first MCP server was made, to show what clients have changed. */
  served: Promise<FilesystemSnapshot> | undefined;
  /** The ID of the present state of a filesystem, if its states are stored. */
  state: string | undefined;
  /** The changes of the call that is in progress on a filesystem. */
  openChanges: (() => Promise<readonly PathChange[]>) | undefined;
  /** Records the run of a subagent on a session, or continues the run that an earlier process began. */
  startChild: ((child: StartedChild) => Promise<RecordedChild>) | undefined;
  /** Records the answers of the calls on a session. */
  transcript:
    | { answered(answer: CallAnswer): void; approval?(note: ApprovalNote): void }
    | undefined;
  /** Present if the session belongs to a durable run. */
  parking: Parking | undefined;
  /** Present if the session belongs to a run in a store. */
  stored: StoredRun | undefined;
  /** How many subagents the run is nested in, if it is a subagent's run with its own place. */
  depth: number | undefined;
  /** The ID of the run that the session belongs to, for idempotency keys. */
  runId: string | undefined;
  /** The idempotency keys of external calls with an unknown outcome, by tool and input. */
  readonly unknownCalls = new Map<string, string>();
  /** The budgets of evaluations in this process, which have counted their usage. */
  readonly budgets = new WeakSet<object>();
  /** Stores what is recorded so far, for a session whose records are collected. */
  flush: (() => Promise<void>) | undefined;
  /** Waits until the last answer of the model is stored, if that is in progress. */
  settled: (() => Promise<void> | undefined) | undefined;
  /** Whether the end event of a call is stored in the same step as its files, so that it is recorded before. */
  endsInCommit = false;
  /** The conversation of the last evaluation on a session. Only the loop reads it. */
  conversation: unknown;
  /** How many evaluations the session had. */
  runCount = 0;
  /** Stores the contents of changed files of the calls on a session, by SHA-256. */
  contents: ContentSink | undefined;
  /** Settles when the last queued merge into a filesystem has ended. */
  lastMerge: Promise<unknown> | undefined;
}

/** The call that owns a handle, and the resource of the session or filesystem that it wraps. */
export interface HandleOwner {
  readonly scope: CallScope;
  readonly resource: CallResource;
}

/** The key under which a session or filesystem stores its resource. */
const RESOURCE = Symbol.for("wink.adapters.call-resource");
/** The key under which a handle stores its owner. */
export const OWNER = Symbol.for("wink.adapters.handle-owner");

interface Marked {
  readonly [RESOURCE]?: CallResource;
  readonly [OWNER]?: HandleOwner;
  readonly readOnly?: boolean;
}

/** The resource of a session or filesystem. A handle has the resource of its target. */
export function resourceOf(target: object & Marked): CallResource {
  const known = target[OWNER]?.resource ?? target[RESOURCE];
  if (known !== undefined) return known;
  const resource = new CallResource();
  // No call can change anything through a frozen view, so its calls need no order.
  if (!Object.isExtensible(target) && target.readOnly === true) return resource;
  Object.defineProperty(target, RESOURCE, { value: resource });
  return resource;
}

/** The owner of a handle, or `undefined` for a session or filesystem that is not a handle. */
export function ownerOf(target: object & Marked): HandleOwner | undefined {
  return target[OWNER];
}
