import type { RenderedSection } from "@wink/prompt";
import type { ModelMessage } from "./model-client.js";

/** What the loop has decided about the messages that the model sees. All of it is in the transcript. */
export interface ContextState {
  /** The results of tools before this message are not shown. */
  readonly clearedBefore: number;
  /**
   * The maximum size of a request, below the size of one that the provider refused as too long. @default the limit of
   * the run's options
   */
  readonly limitTokens?: number | undefined;
  /** Longer results are shown in part, because the last ones did not fit together. @default the limit of the run's options */
  readonly maxResultCharacters?: number | undefined;
  /** `maxResultCharacters` applies to the results before this message. @default all */
  readonly shrunkBefore?: number | undefined;
  /** Replaces all messages before `before`. */
  readonly summary?: ContextSummary | undefined;
  /** The system text, which stays the same between compactions. Missing before the first request. */
  readonly system?: SystemText | undefined;
  /** The calls whose long results are in files. */
  readonly saved: ReadonlySet<string>;
  /** How many tokens the provider counted for each estimated one, in the last request. */
  readonly tokenRatio: number;
}

export interface SystemText {
  readonly text: string;
  readonly sections: readonly RenderedSection[];
}

export interface ContextSummary {
  readonly before: number;
  readonly message: ModelMessage & { readonly role: "user" };
  /** What every later summary repeats word for word. */
  readonly pinned: {
    /** What the user said. */
    readonly said: readonly string[];
    readonly decisions: readonly string[];
  };
}

/** A decision about the context, for the transcript. */
export interface ContextChange extends Omit<ContextState, "system" | "saved" | "tokenRatio"> {
  /** Whether the model has just written the summary. */
  readonly isSummarised: boolean;
}

export const EMPTY_CONTEXT: ContextState = Object.freeze({
  ...{ clearedBefore: 0, tokenRatio: 1 },
  saved: new Set<string>(),
});

/** The tool that reads a whole result again. */
export const READ_RESULT = "read_result";

/** Where the long result of a call is stored. */
export function resultPath(toolCallId: string): string {
  return `.wink/results/${toolCallId.replace(/[^\w-]/g, "_").slice(0, 60)}.txt`;
}
