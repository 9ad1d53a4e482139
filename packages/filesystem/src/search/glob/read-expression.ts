import { type CharacterSet, complement, union } from "./character-set.js";

/** A regular expression as a tree, reduced to what picomatch writes. */
export type Expression =
  | { readonly type: "set"; readonly set: CharacterSet }
  | { readonly type: "sequence"; readonly parts: readonly Expression[] }
  | { readonly type: "choice"; readonly options: readonly Expression[] }
  | {
      readonly type: "repeat";
      readonly body: Expression;
      readonly min: 0 | 1;
      readonly many: boolean;
    }
  /** What follows must not match `body`. */
  | { readonly type: "not"; readonly body: Expression }
  | { readonly type: "start" | "end" | "not-end" };

/** The expression uses syntax that picomatch does not write for a supported glob. */
export class UnsupportedExpression extends Error {}

/** Reads the source of an expression that picomatch made. Greediness does not matter: only whether a path matches. */
export function readExpression(source: string): Expression {
  const reader = new Reader(source);
  const expression = reader.choice();
  if (!reader.atEnd) throw new UnsupportedExpression(`unexpected ${reader.peek()}`);
  return expression;
}

const ANY: CharacterSet = [[0, 0x10ffff]];
const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

class Reader {
  readonly #source: string;
  #index = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#index >= this.#source.length;
  }

  peek(): string {
    return this.#source[this.#index] ?? "";
  }

  choice(): Expression {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined
      ? options[0]
      : { type: "choice", options };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    while (!this.atEnd && this.peek() !== "|" && this.peek() !== ")") parts.push(this.#repeated());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { type: "sequence", parts };
  }

  #repeated(): Expression {
    let body = this.#atom();
    for (;;) {
      if (this.#take("*")) body = { type: "repeat", body, min: 0, many: true };
      else if (this.#take("+")) body = { type: "repeat", body, min: 1, many: true };
      else if (this.#take("?")) body = { type: "repeat", body, min: 0, many: false };
      else return body;
      this.#take("?");
    }
  }

  #atom(): Expression {
    if (this.#take("(?:")) return this.#group();
    if (this.#take("(?=.)")) return { type: "not-end" };
    if (this.#take("(?!")) return { type: "not", body: this.#group() };
    if (this.#take("(?")) throw new UnsupportedExpression("a group of an unknown kind");
    if (this.#take("(")) return this.#group();
    if (this.#take("^")) return { type: "start" };
    if (this.#take("$")) return { type: "end" };
    if (this.#take(".")) return { type: "set", set: ANY };
    if (this.#take("[")) return { type: "set", set: this.#class() };
    const code = this.#character();
    return { type: "set", set: [[code, code]] };
  }

  #group(): Expression {
    const body = this.choice();
    if (!this.#take(")")) throw new UnsupportedExpression("a group without its end");
    return body;
  }

  #class(): CharacterSet {
    const isNegated = this.#take("^");
    const ranges: [number, number][] = [];
    while (!this.#take("]")) {
      const first = this.#character();
      const isRange = this.peek() === "-" && this.#source[this.#index + 1] !== "]";
      if (isRange) this.#index++;
      const last = isRange ? this.#character() : first;
      if (last < first) throw new UnsupportedExpression("a range that runs backwards");
      ranges.push([first, last]);
    }
    const set = union(ranges);
    return isNegated ? complement(set) : set;
  }

  /** A code point. picomatch escapes the two halves of one beyond U+FFFF separately. */
  #character(): number {
    const unit = this.#unit();
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (!isHigh) return unit;
    const start = this.#index;
    const low = this.#unit();
    if (low >= 0xdc00 && low < 0xe000) return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    this.#index = start;
    return unit;
  }

  #unit(): number {
    if (this.atEnd) throw new UnsupportedExpression("it ends too early");
    if (!this.#take("\\")) return this.#source.charCodeAt(this.#index++);
    const letter = this.peek();
    const hex = /^x[0-9a-f]{2}/i.exec(this.#source.slice(this.#index, this.#index + 3));
    if (hex !== null) {
      this.#index += 3;
      return Number.parseInt(hex[0].slice(1), 16);
    }
    this.#index++;
    const simple = SIMPLE_ESCAPES[letter];
    if (simple !== undefined) return simple;
    // Other letters would be classes or assertions, which picomatch writes only for patterns with backslashes.
    if (/^[a-z0-9]$/i.test(letter)) throw new UnsupportedExpression(`the escape \\${letter}`);
    return letter.charCodeAt(0);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#index)) return false;
    this.#index += text.length;
    return true;
  }
}
