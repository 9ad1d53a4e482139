/** Matches one byte of a name, or any number of bytes (`star`). */
type Token =
  | { readonly kind: "byte"; readonly byte: number }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly members: Uint8Array };

/** One segment of a `.gitignore` pattern, or `**` for any number of them. */
export type IgnoreSegment = readonly Token[] | "**";

// Shared objects, because a `.gitignore` of 1 MB has a million tokens.
const ANY: Token = { kind: "any" };
const STARS: Token = { kind: "star" };
const BYTES: readonly Token[] = Array.from({ length: 256 }, (_, byte) => ({ kind: "byte", byte }));

const SLASH = 0x2f;
const STAR = 0x2a;
const BACKSLASH = 0x5c;

/**
 * Splits a pattern into segments. Returns `undefined` when the pattern can never match, because a class or an escape is
 * not closed.
 *
 * Git compares bytes, so the pattern is a string with one character per byte.
 */
export function parseIgnorePattern(pattern: string): IgnoreSegment[] | undefined {
  const segments: Token[][] = [[]];
  for (let index = 0; index < pattern.length; index++) {
    const current = segments.at(-1) ?? [];
    const byte = pattern.charCodeAt(index);
    if (byte === SLASH) segments.push([]);
    else if (byte === STAR) current.push(STARS);
    else if (byte === 0x3f) current.push(ANY);
    else if (byte === BACKSLASH) {
      index++;
      if (index === pattern.length) return undefined;
      if (pattern.charCodeAt(index) === SLASH) segments.push([]);
      else current.push(byteToken(pattern.charCodeAt(index)));
    } else if (byte === 0x5b) {
      const parsed = parseClass(pattern, index);
      if (parsed === undefined) return undefined;
      current.push({ kind: "class", members: parsed.members });
      index = parsed.end;
    } else current.push(byteToken(byte));
  }
  return segments.map((tokens) => (isGlobstar(tokens) ? "**" : tokens));
}

function byteToken(byte: number): Token {
  return BYTES[byte] ?? { kind: "byte", byte };
}

function isGlobstar(tokens: readonly Token[]): boolean {
  return tokens.length >= 2 && tokens.every(({ kind }) => kind === "star");
}

/** Parses a bracket expression like git's matcher. `end` is the index of its `]`. */
function parseClass(
  pattern: string,
  start: number,
): { readonly members: Uint8Array; readonly end: number } | undefined {
  const members = new Uint8Array(256);
  let index = start + 1;
  const isNegated = pattern[index] === "!" || pattern[index] === "^";
  if (isNegated) index++;
  let previous = 0;
  // A `]` in first position is a literal.
  for (let isFirst = true; isFirst || pattern[index] !== "]"; isFirst = false, index++) {
    if (index >= pattern.length) return undefined;
    const named = /^\[:([^\]]*):\]/.exec(pattern.slice(index, index + 16));
    let byte = pattern.charCodeAt(index);
    if (byte === BACKSLASH) {
      byte = pattern.charCodeAt(++index);
      if (Number.isNaN(byte)) return undefined;
      members[byte] = 1;
    } else if (byte === 0x2d && previous !== 0 && isRangeEnd(pattern[index + 1])) {
      if (pattern.charCodeAt(++index) === BACKSLASH) index++;
      const last = pattern.charCodeAt(index);
      if (Number.isNaN(last)) return undefined;
      for (let member = previous; member <= last; member++) members[member] = 1;
      byte = 0;
    } else if (named !== null) {
      const test = NAMED_CLASSES[named[1] ?? ""];
      if (test === undefined) return undefined;
      for (let member = 0; member < 128; member++)
        if (test.test(String.fromCharCode(member))) members[member] = 1;
      index += named[0].length - 1;
      byte = 0;
    } else members[byte] = 1;
    previous = byte;
  }
  if (isNegated) for (let byte = 0; byte < 256; byte++) members[byte] = members[byte] === 0 ? 1 : 0;
  return { members, end: index };
}

function isRangeEnd(character: string | undefined): boolean {
  return character !== undefined && character !== "]";
}

const NAMED_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what the class is for.
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Whether a name (one character per byte) matches. Takes at most name length × pattern length steps. */
export function matchesSegment(tokens: readonly Token[], name: string): boolean {
  let at = 0;
  let token = 0;
  let afterStar = -1;
  let starEnd = 0;
  while (at < name.length) {
    const next = tokens[token];
    if (next?.kind === "star") {
      afterStar = ++token;
      starEnd = at;
    } else if (next !== undefined && matchesByte(next, name.charCodeAt(at))) {
      token++;
      at++;
    } else if (afterStar < 0) return false;
    else {
      token = afterStar;
      at = ++starEnd;
    }
  }
  while (tokens[token]?.kind === "star") token++;
  return token === tokens.length;
}

function matchesByte(token: Token, byte: number): boolean {
  if (token.kind === "byte") return token.byte === byte;
  if (token.kind === "class") return token.members[byte] === 1;
  return token.kind === "any";
}
