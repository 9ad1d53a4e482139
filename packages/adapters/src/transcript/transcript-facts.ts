import type { RenderedPrompt } from "@wink/prompt";
import type { ModelMessage } from "../runtime/loop/model-client.js";
import type { WatchedRun } from "../runtime/loop/run-telemetry.js";
import type { RecordedSection, RunLimits } from "./transcript-record.js";
import type { TranscriptWriter } from "./transcript-writer.js";

/** How many messages both lists start with. The loop adds to the same messages, so their identity counts. */
export function sharedLength(
  before: readonly ModelMessage[],
  now: readonly ModelMessage[],
): number {
  let length = 0;
  while (length < before.length && before[length] === now[length]) length++;
  return length;
}

/** The limits of an evaluation as the transcript has them. */
export function limitsOf({ deadline, budget, maxTurns }: WatchedRun): RunLimits {
  const left = Object.entries(budget?.remaining() ?? {}).filter(([, each]) =>
    Number.isFinite(each),
  );
  return {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(deadline !== undefined && { deadline: Date.now() + deadline.remainingMs() }),
    ...(left.length > 0 && { budget: Object.fromEntries(left) }),
  };
}

/** The text by section, so that a section that did not change is not stored again. */
export function recordedSections(
  writer: TranscriptWriter,
  text: string,
  rendered: RenderedPrompt | undefined,
): readonly RecordedSection[] {
  const { sections = [], text: known } = rendered ?? {};
  const whole = [{ path: "", title: "", start: 0, end: text.length, visibility: "full" }] as const;
  const placed = known === text && sections.length > 0 ? sections : whole;
  return placed.map(({ path, title, visibility, start, end }) => ({
    ...{ path, title, visibility },
    text: writer.part(text.slice(start, end)),
  }));
}
