/**
 * Characters that hide or reorder text: controls, zero-width and bidirectional ones. A page that shows them unchanged
 * can show another program than the one that runs.
 */
// biome-ignore lint/complexity/useRegexLiterals: A literal with control characters is forbidden.
const HIDDEN = new RegExp(
  String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]`,
  "g",
);

/** A part of a text. A hidden character is a separate part, with its code as the text. */
export interface TextPart {
  readonly text: string;
  readonly hidden: boolean;
}

/** Whether a text needs marks. Most texts do not, and this check is fast. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

export function visibleParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > done) parts.push({ text: text.slice(done, match.index), hidden: false });
    parts.push({ text: codeOf(match[0]), hidden: true });
    done = match.index + match[0].length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), hidden: false });
  return parts;
}

/** A text for places that cannot have marks, such as titles. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, codeOf);
}

function codeOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
