import type { ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import { InProcessDispatcher, type Session } from "@wink/session";

export interface CallProgressOptions {
  /** What the client asked for; without it nothing is sent. */
  readonly progressToken: string | number | undefined;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly session: Session;
  readonly intervalMs: number;
  readonly send: (notification: ServerNotification) => Promise<void>;
}

/**
 * Tells the client that a call is under way: at its beginning, at each event that the
 * call dispatches, and from time to time, so that a client does not give it up. Ends
 * when the answer is called.
 */
export function reportProgress(options: CallProgressOptions): () => void {
  const { progressToken, toolCallId, toolName, session, intervalMs, send } = options;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const tell = (message: string) => {
    const params = { progressToken, progress: progress++, message };
    // A client that has gone away misses nothing.
    send({ method: "notifications/progress", params }).catch(() => {});
  };
  tell(`${toolName}: called`);
  const timer = setInterval(() => tell(`${toolName}: under way`), intervalMs);
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
