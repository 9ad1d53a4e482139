import type { EvaluateOptions } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { RunTelemetry } from "./run-telemetry.js";

/** The key under which a session stores the recorder of its run. */
const RECORDER = Symbol.for("wink.adapters.recorder");

interface Marked {
  [RECORDER]?: RunTelemetry | undefined;
}

/** Records every later evaluation on the session. Returns a function that stops it. */
export function attachRecorder(session: Session & Marked, recorder: RunTelemetry): () => void {
  session[RECORDER] = recorder;
  return () => {
    if (session[RECORDER] === recorder) session[RECORDER] = undefined;
  };
}

/** The recorder of an evaluation: its own, or the recorder of the session's run. */
export function recorderOf({
  session,
  transcript,
}: Pick<EvaluateOptions, "transcript"> & { readonly session: Session & Marked }):
  | RunTelemetry
  | undefined {
  // Only this package makes transcripts, and it gives each one a recorder.
  return (transcript?.recorder as RunTelemetry | undefined) ?? session[RECORDER];
}
