/**
 * Whether a parsed JSON value is nested deeper than `maxDepth`. Iterates level by level, because
 * recursion could overflow the stack.
 */
export function isDeeperThan(value: object, maxDepth: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) return true;
    level = level.flatMap((each) =>
      Object.values(each).filter((child) => typeof child === "object" && child !== null),
    );
  }
  return false;
}

/**
 * Whether the brackets of a JSON text are nested deeper than `maxDepth`. Checked before parsing
 * foreign text, because JSON.parse is very slow on half a million nested arrays.
 */
export function isTextDeeperThan(json: string, maxDepth: number): boolean {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) isString = !isString;
    else if (isString) index += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > maxDepth) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
