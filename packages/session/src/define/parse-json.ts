import { MAX_DEPTH } from "./plain-data.js";

/** How much deeper than a value its envelope in a file may be. */
const ENVELOPE_DEPTH = 10;

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/**
 * `JSON.parse` for text from outside: throws `SyntaxError` also for what the
 * built-in one lets pass or dies of, which is a key that stands twice in one
 * object, `__proto__` as a key, and nesting without end.
 */
export function parseJson(text: string): unknown {
  checkNesting(text);
  return JSON.parse(text);
}

/** One pass over the text. It trusts nothing: what is not JSON at all, `JSON.parse` finds after it. */
function checkNesting(text: string): void {
  // For each open bracket: the keys seen so far, or nothing for an array.
  const open: (Set<string> | undefined)[] = [];
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x7b: // {
        open.push(new Set());
        break;
      case 0x5b: // [
        open.push(undefined);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case QUOTE: {
        const end = endOfString(text, index);
        const keys = open.at(-1);
        if (keys && isKey(text, end)) addKey(keys, text.slice(index, end + 1));
        index = end;
      }
    }
    if (open.length > MAX_DEPTH + ENVELOPE_DEPTH) throw new SyntaxError("nested too deep");
  }
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === BACKSLASH) index++;
    else if (unit === QUOTE) return index;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let index = end + 1;
  while (" \t\r\n".includes(text.charAt(index)) && index < text.length) index++;
  return text.charAt(index) === ":";
}

function addKey(keys: Set<string>, literal: string): void {
  const key = literal.includes("\\") ? String(JSON.parse(literal)) : literal.slice(1, -1);
  if (key === "__proto__") throw new SyntaxError("the key '__proto__' is refused");
  if (keys.has(key)) throw new SyntaxError("a key stands twice in one object");
  keys.add(key);
}
