import { MAX_DEPTH } from "./plain-data.js";

/** How much deeper than a value a file may be, because of its envelope. */
const ENVELOPE_DEPTH = 10;

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/**
 * `JSON.parse` for untrusted text. Also throws `SyntaxError` for duplicate keys, for `__proto__` as a key, and for very
 * deep nesting, which would overflow the stack.
 */
export function parseJson(text: string): unknown {
  checkNesting(text);
  return JSON.parse(text);
}

/** One pass over the text. `JSON.parse` then finds text that is not JSON. */
function checkNesting(text: string): void {
  // For each open bracket: the keys so far, or `undefined` for an array.
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
  if (key === "__proto__") throw new SyntaxError("the key '__proto__' is not allowed");
  if (keys.has(key)) throw new SyntaxError("duplicate key in an object");
  keys.add(key);
}
