/** One atom of a pattern. */
export interface Atom {
  /** How many characters of the pattern it has. */
  readonly length: number;
  /** The text it matches, if it matches exactly one. */
  readonly text: string | undefined;
}

/** The class that starts at `at`, or `undefined` when it is not closed. */
export function readClass(
  pattern: string,
  at: number,
  refuse: (reason: string) => Error,
): Atom | undefined {
  const members = /\[\^?((?:\\.|[^\]\\])*)\]/sy;
  members.lastIndex = at;
  const [written, body = ""] = members.exec(pattern) ?? [];
  if (written === undefined) return undefined;
  if (/\[:\^?[a-z]+:$/.test(body))
    throw refuse("classes such as [[:alpha:]] are not supported; use \\w, \\d, \\s or [a-z]");
  return { length: written.length, text: undefined };
}

/** The escape at `at`, or `undefined` when the pattern ends after its backslash. */
export function readEscape(pattern: string, at: number, unicode: boolean): Atom | undefined {
  const expression = unicode ? ESCAPE_UNICODE : ESCAPE;
  expression.lastIndex = at;
  const match = expression.exec(pattern);
  if (match === null) return undefined;
  const [written] = match;
  const { length } = written;
  const { digits, byte, unit, point } = match.groups ?? {};
  const hex = byte ?? unit ?? point;
  const letter = written[1] ?? "";
  if (digits !== undefined) return { length, text: digits === "0" ? "\0" : undefined };
  if (hex !== undefined) return { length, text: textOf(Number.parseInt(hex, 16), unicode) };
  // Classes and control characters, and what is longer than a letter: properties and named references.
  if ("cdDsSwW".includes(letter) || length > 2) return { length, text: undefined };
  return { length, text: textOf((CONTROLS[letter] ?? letter).codePointAt(0) ?? 0, unicode) };
}

const ESCAPE =
  /\\(?:(?<digits>\d+)|x(?<byte>[\da-fA-F]{2})|u(?<unit>[\da-fA-F]{4})|c[a-zA-Z]?|k<[^>]*>|.)/sy;
const ESCAPE_UNICODE = new RegExp(
  String.raw`\\[pP]\{[^}]*\}|\\u\{(?<point>[\da-fA-F]+)\}|${ESCAPE.source}`,
  "sy",
);

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", t: "\t", v: "\v", f: "\f", r: "\r" };

function textOf(codePoint: number, unicode: boolean): string | undefined {
  // Half a surrogate pair: in Unicode mode a quantifier after the other half would apply to both.
  if (unicode && codePoint >= 0xd800 && codePoint <= 0xdfff) return undefined;
  return codePoint > 0x10ffff ? undefined : String.fromCodePoint(codePoint);
}
