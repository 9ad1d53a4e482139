import type { ServerNotification } from "@modelcontextprotocol/server";
import { InProcessDispatcher, type Session } from "@wink/session";

export interface CallProgressOptions {
  /** The client's progress token. Without it, nothing is sent. */
  readonly progressToken: string | number | undefined;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly session: Session;
  readonly intervalMs: number;
  readonly send: (notification: ServerNotification) => Promise<void>;
}

/**
 * Sends progress notifications for a call: at its start, for each event that it dispatches, and
 * at an interval, so that the client does not time out. Returns a function that stops this.
 */
export function reportProgress(options: CallProgressOptions): () => void {
  const { progressToken, toolCallId, toolName, session, intervalMs, send } = options;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const tell = (message: string) => {
    const params = { progressToken, progress: progress++, message };
    // Ignore errors, because the client may have disconnected.
    send({ method: "notifications/progress", params }).catch(() => {});
  };
  tell(`${toolName}: called`);
  const timer = setInterval(() => tell(`${toolName}: running`), intervalMs);
  timer.unref();
  const { dispatcher } = session;
  const unsubscribe =
    dispatcher instanceof InProcessDispatcher
      ? dispatcher.subscribe(({ type, meta }) => {
          if (meta?.["toolCallId"] === toolCallId) tell(`${toolName}: ${type}`);
        })
      : () => {};
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}
