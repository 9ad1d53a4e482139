import { useState } from "preact/hooks";
import { Text } from "../code/text.js";
import { formatCount } from "../format/numbers.js";

const PREVIEW_CHARACTERS = 20_000;

/** Shows a text with its line breaks. A long text is cut off and has a button that shows more. */
export function LongText({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(PREVIEW_CHARACTERS);
  return (
    <>
      <pre class="text">
        <Text text={text.slice(0, shown)} />
      </pre>
      {text.length > shown && (
        <p class="note">
          <button type="button" class="link" onClick={() => setShown(shown * 10)}>
            Show more of {formatCount(text.length)} characters
          </button>
        </p>
      )}
    </>
  );
}
