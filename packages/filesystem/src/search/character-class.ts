/** A set of characters, as written between brackets. */
export interface CharacterClass {
  readonly negated: boolean;
  /** Code points in pairs: first and last of each range. */
  readonly ranges: readonly number[];
}

/** Finds where the classes of one text end. Ask from left to right: then all of it takes time in proportion to the text. */
export class ClassEnds {
  readonly #text: string;
  /** No class that opens before this closes, unless it is just the name of one, such as `[:alpha:]`. */
  #noneBefore = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The closing bracket of the class that opens at `open`, or -1 when that bracket stands for itself. */
  find(open: number): number {
    const text = this.#text;
    if (open < this.#noneBefore && afterNamedClass(text, open) === open + 1) return -1;
    let index = open + 1;
    if (text[index] === "!" || text[index] === "^") index++;
    // A bracket that closes nothing yet is a member: []a] holds both.
    if (text[index] === "]") index++;
    while (index < text.length && text[index] !== "/") {
      if (text[index] === "]") return index;
      index = afterNamedClass(text, index);
    }
    // Each bracket passed on the way would lead here too.
    this.#noneBefore = index;
    return -1;
  }
}

/** The position after the character at `index`, or after the whole class that opens there. */
export function afterCharacter(text: string, index: number, classes: ClassEnds): number {
  const classEnd = text[index] === "[" ? classes.find(index) : -1;
  return classEnd < 0 ? index + 1 : classEnd + 1;
}

/** The class written from `open` to its closing bracket at `close`, or `undefined` when a range runs backwards. */
export function parseClass(text: string, open: number, close: number): CharacterClass | undefined {
  const negated = text[open + 1] === "!" || text[open + 1] === "^";
  const ranges: number[] = [];
  let index = open + (negated ? 2 : 1);
  while (index < close) {
    const after = afterNamedClass(text, index);
    if (after > index + 1) {
      ranges.push(...(NAMED[text.slice(index + 2, after - 2)] ?? []));
      index = after;
      continue;
    }
    const first = text.codePointAt(index) ?? 0;
    index += unitsOf(first);
    if (text[index] !== "-" || index + 1 >= close) {
      ranges.push(first, first);
      continue;
    }
    const last = text.codePointAt(index + 1) ?? 0;
    if (last < first) return undefined;
    ranges.push(first, last);
    index += 1 + unitsOf(last);
  }
  return { negated, ranges };
}

export function classHolds({ negated, ranges }: CharacterClass, codePoint: number): boolean {
  for (let index = 0; index < ranges.length; index += 2)
    // Ranges come in pairs, so both are there.
    if (codePoint >= ranges[index]! && codePoint <= ranges[index + 1]!) return !negated;
  return negated;
}

/** How many UTF-16 code units a code point takes. */
export function unitsOf(codePoint: number): 1 | 2 {
  return codePoint > 0xffff ? 2 : 1;
}

/** The position after `[:name:]` when a known one starts at `index`, else the next one. */
function afterNamedClass(text: string, index: number): number {
  if (text[index] !== "[" || text[index + 1] !== ":") return index + 1;
  // No further than a name is long, or a row of brackets would be gone through for each of them.
  const name = /^[a-z]+(?=:\])/.exec(text.slice(index + 2, index + LONGEST_NAME + 4))?.[0] ?? "";
  return Object.hasOwn(NAMED, name) ? index + name.length + 4 : index + 1;
}

const LONGEST_NAME = 6;

/** ASCII only, as in the C locale. */
const NAMED: Readonly<Record<string, readonly number[]>> = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  digit: [0x30, 0x39],
  lower: [0x61, 0x7a],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [0x20, 0x20],
  upper: [0x41, 0x5a],
  word: [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a],
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};
