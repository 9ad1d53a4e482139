import type { Token } from "./highlight.js";
import { Text } from "./text.js";

/** Longer lines are cut, because a browser needs seconds for a line of megabytes. */
const MAX_LINE_CHARACTERS = 5000;

/** One line of code. */
export function CodeLine({ tokens }: { readonly tokens: readonly Token[] }) {
  let left = MAX_LINE_CHARACTERS;
  const shown = [];
  for (const { text, kind } of tokens) {
    if (left <= 0) break;
    const piece = text.length > left ? text.slice(0, left) : text;
    left -= text.length;
    shown.push(
      kind ? (
        <span class={`code-${kind}`}>
          <Text text={piece} />
        </span>
      ) : (
        <Text text={piece} />
      ),
    );
  }
  return (
    <>
      {shown}
      {left < 0 && <span class="cut"> … {-left} more characters</span>}
    </>
  );
}
