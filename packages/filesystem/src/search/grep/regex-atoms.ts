/** The meaning of an escape or a character. */
export interface Escape {
  /** The text it matches, if it matches exactly one. */
  readonly text: string | undefined;
  /** Whether `bound` is valid. */
  readonly bindable: boolean;
  /** The group it refers to; 0 if none. */
  readonly reference: number;
}

/** One atom of a pattern. */
export interface Atom extends Escape {
  /** How many characters of the pattern it has. */
  readonly length: number;
  /** The same atom, but it never matches a line end. */
  readonly bound: string;
}

/** The class that starts at `at`, or `undefined` when it is not closed. */
export function readClass(
  pattern: string,
  at: number,
  refuse: (reason: string) => Error,
): Atom | undefined {
  const members = /\[(\^?)((?:\\.|[^\]\\])*)\]/sy;
  members.lastIndex = at;
  const [written, negation, body = ""] = members.exec(pattern) ?? [];
  if (written === undefined) return undefined;
  if (/\[:\^?[a-z]+:$/.test(body))
    throw refuse("classes such as [[:alpha:]] are not supported; use \\w, \\d, \\s or [a-z]");
  return { ...OPAQUE, length: written.length, bound: boundClass(written, negation === "^", body) };
}

function boundClass(written: string, negated: boolean, body: string): string {
  if (!negated) return MAY_HOLD_LINE_END.test(body) ? withoutLineEnd(written) : written;
  // Before a hyphen, `\n` would start a range.
  return body.startsWith("-") ? withoutLineEnd(written) : `[^\\n${body}]`;
}

/** May match too often, but never misses a line end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a range may start at any of them.
const MAY_HOLD_LINE_END = /\\[sWDnpPcxu0-9]|\\[bt]-|[\u0000-\n]/;

function withoutLineEnd(atom: string): string {
  return `(?:(?!\\n)${atom})`;
}

/** The escape at `at`, or `undefined` when the pattern ends after its backslash. */
export function readEscape(pattern: string, at: number, unicode: boolean): Atom | undefined {
  const expression = unicode ? ESCAPE_UNICODE : ESCAPE;
  expression.lastIndex = at;
  const match = expression.exec(pattern);
  if (match === null) return undefined;
  const [written] = match;
  const { digits, byte, unit, point } = match.groups ?? {};
  const hex = byte ?? unit ?? point;
  const letter = written[1] ?? "";
  const opaque = { ...OPAQUE, length: written.length, bound: written };

  if (digits !== undefined)
    return digits === "0"
      ? { ...opaque, text: "\0" }
      : { ...opaque, bindable: !digits.startsWith("0"), reference: Number(digits) };
  if (hex !== undefined) return character(written, Number.parseInt(hex, 16), unicode);
  if (letter === "c") return { ...opaque, bindable: false };
  if (letter === "k" && written.length > 2) return opaque;
  if ("dwS".includes(letter)) return opaque;
  if ("sWD".includes(letter) || written.length > 2)
    return { ...opaque, bound: unicode ? withoutLineEnd(written) : boundShorthand(letter) };
  return character(written, (CONTROLS[letter] ?? letter).codePointAt(0) ?? 0, unicode);
}

const ESCAPE =
  /\\(?:(?<digits>\d+)|x(?<byte>[\da-fA-F]{2})|u(?<unit>[\da-fA-F]{4})|c[a-zA-Z]?|k<[^>]*>|.)/sy;
const ESCAPE_UNICODE = new RegExp(
  String.raw`\\[pP]\{[^}]*\}|\\u\{(?<point>[\da-fA-F]+)\}|${ESCAPE.source}`,
  "sy",
);

const OPAQUE: Escape = { text: undefined, bindable: true, reference: 0 };
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", t: "\t", v: "\v", f: "\f", r: "\r" };

function boundShorthand(letter: string): string {
  const opposite = letter === "s" ? "S" : letter.toLowerCase();
  return `[^\\n\\${opposite}]`;
}

function character(written: string, codePoint: number, unicode: boolean): Atom {
  const length = written.length;
  // Half a surrogate pair: in Unicode mode a quantifier after the other half would apply to both.
  if (unicode && codePoint >= 0xd800 && codePoint <= 0xdfff)
    return { ...OPAQUE, length, bound: written };
  if (codePoint > 0x10ffff) return { ...OPAQUE, length, bound: written };
  const text = String.fromCodePoint(codePoint);
  return { ...OPAQUE, length, text, bound: text === "\n" ? "[]" : written };
}
