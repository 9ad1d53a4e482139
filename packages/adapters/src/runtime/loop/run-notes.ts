import type { AgentEvent, RunUsage } from "@wink/prompt";
import type { SessionEvent } from "@wink/session";
import { reportError } from "../context/report-error.js";
import { PromptExecuted } from "../context/run-events.js";
import type { PromptRunOptions } from "./prompt-run-options.js";

/** Reports what a run does: to its session and to the listener of its events. Errors go to `onError`. */
export interface RunNotes {
  note(event: () => SessionEvent): void;
  tell(event: AgentEvent): void;
  noteEnd(finishReason: string, usage: RunUsage): void;
}

export function notesOf<Output>(of: PromptRunOptions<Output>): RunNotes {
  const { options, onError, prompt, run } = of;
  const note = (event: () => SessionEvent) => {
    try {
      options.session.dispatch(event());
    } catch (error) {
      reportError(onError, error, "session");
    }
  };
  return {
    note,
    tell(event) {
      try {
        options.onEvent?.(Object.freeze(event));
      } catch (error) {
        reportError(onError, error, "onEvent");
      }
    },
    noteEnd(finishReason, { turns, toolCalls, inputTokens, outputTokens }) {
      const spent = { turns, toolCalls, inputTokens, outputTokens };
      const name = `${prompt.ns}/${prompt.key}`;
      note(() => PromptExecuted({ prompt: name, run, finishReason, ...spent }));
    },
  };
}
