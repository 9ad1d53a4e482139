import { ChangeFile, EndToolCall, StartToolCall } from "@wink/prompt/adapter";
import type { RecordedEvent } from "@wink/session";
import { ToolsError } from "../error/tools-error.js";

/** Tools that recorded all their changes in earlier versions too. */
const READY_MADE: ReadonlySet<string> = new Set([
  ...["write_file", "edit_file", "multi_edit", "rm", "move", "copy"],
  ...["snapshot_create", "snapshot_restore", "evaluate_python", "shell_execute"],
]);

/** The end of a call in logs of earlier versions. */
const EARLIER_END = "run.invoke-tool";

/** The calls in a list of events, and how completely the list describes their changes. */
export class RecordedCalls {
  /** For each event, the outermost call around it. */
  readonly #outermost: (string | undefined)[] = [];
  /** The index of the last `files.change` of each outermost call. */
  readonly #lastChange = new Map<string, number>();
  /** The calls whose events describe all changes. */
  readonly #complete = new Set<string>();
  readonly #access = new Map<string, string>();
  /** The calls of earlier versions whose events of ready-made tools describe their changes. */
  readonly #described = new Set<string>();

  constructor(events: readonly RecordedEvent[]) {
    const open: string[] = [];
    for (const [index, event] of events.entries()) {
      const id = String(payloadField(event, "toolCallId"));
      if (isOf(StartToolCall, event)) {
        open.push(id);
        this.#access.set(id, event.payload.access);
      }
      const outermost = open[0];
      this.#outermost[index] = outermost;
      if (isOf(EndToolCall, event)) {
        open.splice(open.indexOf(id) >>> 0, 1);
        if (event.payload.changes !== undefined) this.#complete.add(id);
      } else if (isOf(ChangeFile, event)) {
        // Only this version records such events.
        this.#complete.add(id);
        if (outermost !== undefined) this.#lastChange.set(outermost, index);
      } else if (event.type === EARLIER_END) open.splice(open.indexOf(id) >>> 0, 1);
      else if (READY_MADE.has(String(payloadField(event, "tool")))) this.#described.add(id);
    }
  }

  /** Whether the call around an event has recorded the result of its changes after the event. */
  isCorrected(index: number): boolean {
    const outermost = this.#outermost[index];
    return outermost !== undefined && (this.#lastChange.get(outermost) ?? -1) > index;
  }

  /** Whether the events of the call around an event describe all its changes. */
  isComplete(index: number): boolean {
    const outermost = this.#outermost[index];
    return outermost !== undefined && this.#complete.has(outermost);
  }

  /** Throws at the end of a successful call of an earlier version that may have changed files without an event. */
  requireKnown(event: RecordedEvent): void {
    if (!isOf(EndToolCall, event) && event.type !== EARLIER_END) return;
    const id = String(payloadField(event, "toolCallId"));
    const tool = String(payloadField(event, "tool"));
    const access = this.#access.get(id);
    const mayChange = access === "write" || access === "opaque";
    if (payloadField(event, "success") !== true || !mayChange) return;
    if (this.#complete.has(id) || this.#described.has(id) || READY_MADE.has(tool)) return;
    throw new ToolsError("EVENT_MISMATCH", {
      subject: `event ${event.sequence}`,
      reason: `a call of '${tool}' may have changed files, and the log, of an earlier version, does not say which`,
    });
  }
}

interface Token<Payload> {
  readonly type: string;
  (...args: never[]): { readonly payload: Payload };
}

export function isOf<Payload>(
  token: Token<Payload>,
  event: RecordedEvent,
): event is RecordedEvent<string, Payload> {
  return event.type === token.type;
}

export function payloadField({ payload }: RecordedEvent, name: string): unknown {
  // The lookup gives `unknown`, whatever the payload is.
  return typeof payload === "object" && payload !== null
    ? (payload as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
