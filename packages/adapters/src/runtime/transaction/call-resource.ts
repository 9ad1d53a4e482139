import type { ToolImage } from "@wink/prompt";
import { AbortListeners } from "./abort-listeners.js";
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
  /** What was thrown. */
  readonly errors: readonly {
    readonly where: string;
    readonly name: string;
    readonly message: string;
    readonly stack?: string;
  }[];
}

/** Where the contents that `files.change` events name are stored. */
export interface ContentSink {
  /** Called before the call is committed. If it rejects, the call fails. */
  set(contentId: string, bytes: Uint8Array): unknown;
}

/** What all calls on one session or on one filesystem share. */
export class CallResource {
  readonly queue: Queue = [];
  /** Calls are refused while there are any. */
  readonly failedRollbacks: FailedRollback[] = [];
  readonly aborts = new AbortListeners();
  /** Called after each call, with the object that made it. */
  readonly listeners = new Set<(caller: object) => void>();
  /** Records the changing calls on a session. */
  journal: CallJournal | undefined;
  /** Takes a snapshot of a filesystem after each call that changed it. Resolves to its id. */
  keepState: ((toolCallId: string, tool: string) => Promise<string>) | undefined;
  /** Records the answers of the calls on a session. */
  transcript: { answered(answer: CallAnswer): void } | undefined;
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

/** Under which a session or filesystem stores its resource. */
const RESOURCE = Symbol.for("wink.adapters.call-resource");
/** Under which a handle stores its owner. */
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
