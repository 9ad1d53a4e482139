/** Replaces the bytes from `start` to `end` by `bytes`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

export function splicedLength(before: Uint8Array, splices: readonly Splice[]): number {
  return splices.reduce(
    (total, { start, end, bytes }) => total - (end - start) + bytes.length,
    before.length,
  );
}

/** Applies the splices to `before`. They must be sorted and must not overlap. */
export function spliceBytes(before: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const after = new Uint8Array(splicedLength(before, splices));
  let from = 0;
  let to = 0;
  const put = (bytes: Uint8Array) => {
    after.set(bytes, to);
    to += bytes.length;
  };
  for (const { start, end, bytes } of splices) {
    put(before.subarray(from, start));
    put(bytes);
    from = end;
  }
  put(before.subarray(from));
  return after;
}
