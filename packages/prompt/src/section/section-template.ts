import { PromptError } from "../error/prompt-error.js";

/** A compiled text. */
export interface SectionTemplate {
  readonly source: string;
  /** The names of the placeholders, without duplicates, in order. */
  readonly names: readonly string[];
  /** Inserts the values. Placeholders inside of values are not expanded. */
  fill(values: Readonly<Record<string, unknown>>): string;
}

const MARK = /\$\$|\$\{([^{}]*)\}?/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads `${name}` as a placeholder and `$$` as a dollar sign. Any other dollar sign stays as it is.
 *
 * `subject` is for the error message of an invalid placeholder.
 */
export function compileTemplate(source: string, subject: string): SectionTemplate {
  const texts: string[] = [];
  const slots: string[] = [];
  let text = "";
  let end = 0;
  for (const match of source.matchAll(MARK)) {
    text += source.slice(end, match.index);
    end = match.index + match[0].length;
    const name = match[1];
    if (name === undefined) {
      text += "$";
      continue;
    }
    if (!NAME.test(name) || !match[0].endsWith("}"))
      throw new PromptError(
        "PLACEHOLDER_UNKNOWN",
        subject,
        `'${match[0]}' is not a placeholder. A name has letters, digits and _. Write $\${ for the text \${`,
      );
    texts.push(text);
    slots.push(name);
    text = "";
  }
  const last = text + source.slice(end);
  const names = Object.freeze([...new Set(slots)]);
  if (slots.length === 0) return Object.freeze({ source, names, fill: () => last });

  // Cached, because a prompt is rendered for each turn with the same frozen values.
  let latest: Readonly<Record<string, unknown>> | undefined;
  let filled = "";
  const fill: SectionTemplate["fill"] = (values) => {
    if (values === latest) return filled;
    let text = "";
    for (let index = 0; index < slots.length; index++)
      // Both arrays have the same length, and bind has checked that every name has a value.
      text += (texts[index] as string) + String(values[slots[index] as string]);
    latest = Object.isFrozen(values) ? values : undefined;
    filled = text + last;
    return filled;
  };
  return Object.freeze({ source, names, fill });
}
