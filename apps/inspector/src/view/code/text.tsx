import { hasHidden, visibleParts } from "./visible-text.js";

/** A text that others wrote, with marks for hidden characters. */
export function Text({ text }: { readonly text: string }) {
  if (!hasHidden(text)) return <>{text}</>;
  return (
    <>
      {visibleParts(text).map(({ text, hidden }) =>
        hidden ? (
          <span class="hidden-character" title="a character that is not visible">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </>
  );
}
