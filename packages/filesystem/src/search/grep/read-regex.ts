import { type Atom, readClass, readEscape } from "./regex-atoms.js";
import { isTooCostly, UNICODE_CLASS } from "./regex-cost.js";
import { type Part, type Quantifier, SequenceReader } from "./regex-sequence.js";

/** Properties of a regular expression that are known without running it. */
export interface RegexShape {
  /** The text that the pattern matches, if it is plain text. */
  readonly literal: string | undefined;
  /** The longest known text that every match contains; empty when there is none. */
  readonly required: string;
}

/** Creates the error for a refused pattern. */
export type Refuse = (reason: string) => Error;

/**
 * The `u` flag is used only for patterns that need it, because without it more of the patterns that people write are
 * valid.
 */
export function needsUnicodeMode(pattern: string): boolean {
  return /[\ud800-\udfff]|(?:^|[^\\])(?:\\\\)*\\[pPu]\{/.test(pattern);
}

/**
 * Parses a JavaScript pattern, and refuses syntax that only some versions of Node accept.
 *
 * Returns `undefined` for an invalid pattern. The `RegExp` constructor then gives the error message.
 */
export function readRegex(
  pattern: string,
  unicode: boolean,
  refuse: Refuse,
): RegexShape | undefined {
  const reader = new RegexReader(pattern, unicode, refuse);
  const whole = reader.readDisjunction(0);
  if (whole === undefined || !reader.atEnd) return undefined;
  if (whole.needsLineBreak)
    throw refuse("lines are searched one at a time, so a pattern cannot match a line break");
  if (isTooCostly(whole.alternatives ?? []))
    throw refuse("the pattern is too complex; it has too many optional parts or nested repeats");
  return { literal: whole.literal, required: whole.required };
}

const MAX_NESTING = 100;

class RegexReader {
  readonly #pattern: string;
  readonly #unicode: boolean;
  readonly #refuse: Refuse;
  readonly #names = new Set<string>();
  #at = 0;

  constructor(pattern: string, unicode: boolean, refuse: Refuse) {
    this.#pattern = pattern;
    this.#unicode = unicode;
    this.#refuse = refuse;
  }

  get atEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  /** `undefined` when the pattern is invalid. The same applies to the methods below. */
  readDisjunction(nesting: number): Part | undefined {
    if (nesting > MAX_NESTING)
      throw this.#refuse(`groups are nested more than ${MAX_NESTING} deep`);
    const parts: Part[] = [];
    do {
      if (parts.length > 0) this.#at++;
      const part = this.#readSequence(nesting);
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#pattern[this.#at] === "|");

    const [only] = parts;
    if (only !== undefined && parts.length === 1) return only;
    return {
      literal: undefined,
      required: "",
      needsLineBreak: parts.every((part) => part.needsLineBreak),
      alternatives: parts.flatMap((part) => part.alternatives ?? []),
    };
  }

  #readSequence(nesting: number): Part | undefined {
    const sequence = new SequenceReader();
    while (!this.atEnd && this.#pattern[this.#at] !== "|" && this.#pattern[this.#at] !== ")") {
      if (this.#skipAssertion()) {
        sequence.addAssertion();
        continue;
      }
      const atom = this.#pattern[this.#at] === "(" ? this.#readGroup(nesting) : this.#readAtom();
      if (atom === undefined) return undefined;
      sequence.add(atom, this.#readQuantifier());
    }
    return sequence.toPart();
  }

  #skipAssertion(): boolean {
    const assertion = /[$^]|\\[bB]/y;
    assertion.lastIndex = this.#at;
    if (!assertion.test(this.#pattern)) return false;
    this.#at = assertion.lastIndex;
    return true;
  }

  #readGroup(nesting: number): Part | undefined {
    const opening = /\((?:\?(?:(<?[=!])|<([^>]*)>|(:)|.?))?/sy;
    opening.lastIndex = this.#at;
    const [written = "", lookaround, name, plain] = opening.exec(this.#pattern) ?? [];
    if (written.length > 1 && (lookaround ?? name ?? plain) === undefined)
      throw this.#refuse(this.#adviseOnGroup());
    if (name !== undefined) this.#claimName(name);
    this.#at += written.length;
    const inner = this.readDisjunction(nesting + 1);
    if (inner === undefined || this.#pattern[this.#at] !== ")") return undefined;
    this.#at++;
    return lookaround === undefined
      ? inner
      : { ...inner, literal: undefined, required: "", needsLineBreak: false };
  }

  #adviseOnGroup(): string {
    const rest = this.#pattern.slice(this.#at, this.#at + 20);
    if (/^\(\?[a-zA-Z-]+[:)]/.test(rest))
      return "inline flags such as (?i) are not supported; use the ignoreCase option";
    if (rest.startsWith("(?P<")) return "a named group is written (?<name>…)";
    return "a group starts with (, (?:, (?<name>, (?=, (?!, (?<= or (?<!";
  }

  #claimName(name: string): void {
    if (this.#names.has(name)) throw this.#refuse("two groups have the same name");
    this.#names.add(name);
  }

  #readAtom(): Part | undefined {
    const atom = this.#readOne();
    if (atom === undefined) return undefined;
    this.#at += atom.length;
    const needsLineBreak = atom.text === "\n";
    const alternatives = this.#unicode && atom.text === undefined ? UNICODE_CLASS : undefined;
    return { literal: atom.text, required: "", needsLineBreak, alternatives };
  }

  #readOne(): Atom | undefined {
    const character = this.#pattern[this.#at] ?? "";
    if (character === "\\") return readEscape(this.#pattern, this.#at, this.#unicode);
    if (character === "[") return readClass(this.#pattern, this.#at, this.#refuse);
    // A quantifier with nothing before it is invalid.
    if ("*+?".includes(character) || QUANTIFIER.test(this.#pattern.slice(this.#at, this.#at + 24)))
      return undefined;
    // In Unicode mode these need a backslash.
    if (this.#unicode && "{}]".includes(character)) return undefined;
    const text = this.#unicode
      ? String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0)
      : character;
    return { length: text.length, text: text === "." ? undefined : text };
  }

  #readQuantifier(): Quantifier | undefined {
    const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
    quantifier.lastIndex = this.#at;
    const [written = "", sign, min, comma, max] = quantifier.exec(this.#pattern) ?? [];
    if (written === "") return undefined;
    this.#at += written.length;
    if (sign !== undefined)
      return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    if (comma === undefined) return { min: Number(min), max: Number(min) };
    return { min: Number(min), max: max === "" ? Number.POSITIVE_INFINITY : Number(max) };
  }
}

const QUANTIFIER = /^\{\d+(?:,\d*)?\}/;
