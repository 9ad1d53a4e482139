import { useRef } from "preact/hooks";
import type { RunSource } from "../../source/run-source.js";
import type { Answer } from "./answers.js";
import { useInspector } from "./inspector.js";

/**
 * Asks the source. While the next answer is loaded, the previous one is shown, so that the page does not jump.
 *
 * @param question names everything that the answer depends on; `undefined` asks nothing
 */
export function useAnswer<T>(
  question: string | undefined,
  load: (source: RunSource) => Promise<T>,
): Answer<T> {
  const { answers, source } = useInspector();
  const last = useRef<Answer<T>>({});
  if (question === undefined) return {};
  const answer = answers.ask(question, () => load(source));
  if (answer.value !== undefined || answer.problem !== undefined) last.current = answer;
  return last.current;
}
