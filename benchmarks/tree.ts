const LINE = "  const result = await compute(input, { ...options, retries: 3 });\n";

/** Content of about 2 KB that no other file has. */
export function sourceText(index: number): string {
  return `${LINE.repeat(30)}export const id = ${index};\n`;
}

/** A rare line, found in one file out of `count`. */
export const NEEDLE = "the needle in the haystack";

/** `count` files of 2 KB in directories of at most a hundred, nine in ten of them `.ts`. */
export function sourceTree(count: number): Map<string, string> {
  const files = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const extension = index % 10 === 0 ? "md" : "ts";
    const group = Math.floor(index / 100);
    const path = `src/group-${group % 40}/part-${group}/file-${index}.${extension}`;
    const text = sourceText(index);
    files.set(path, index === Math.floor(count / 2) ? `${text}// ${NEEDLE}\n` : text);
  }
  return files;
}

/** The paths in an order that no cache can predict. */
export function shuffled(paths: Iterable<string>): string[] {
  const all = [...paths];
  // A fixed stride that shares no factor with the count visits every path once.
  const stride = 7_919;
  return all.map((_, index) => all[(index * stride) % all.length] as string);
}

/** Runs `body` for `times` paths one after the other and returns their number. */
export async function eachPath(
  paths: readonly string[],
  times: number,
  body: (path: string, index: number) => unknown,
): Promise<number> {
  for (let index = 0; index < times; index++) {
    const result = body(paths[index % paths.length] as string, index);
    if (result instanceof Promise) await result;
  }
  return times;
}
