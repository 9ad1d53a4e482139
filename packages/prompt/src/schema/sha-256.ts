/**
 * SHA-256 of a text's UTF-8, in hexadecimal.
 *
 * Written out because what the platform has answers with a promise, and hashes
 * are wanted where nothing waits.
 */
export function sha256(text: string): string {
  tables ??= makeTables();
  const blocks = pad(new TextEncoder().encode(text));
  const hash = tables.initial.slice();
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < blocks.byteLength; offset += 64)
    compress(hash, schedule, tables.round, blocks, offset);
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

/* Every index below lies inside its fixed-length array, which the compiler cannot count. */
function compress(
  hash: Uint32Array,
  w: Uint32Array,
  round: Uint32Array,
  blocks: DataView,
  offset: number,
): void {
  for (let i = 0; i < 16; i++) w[i] = blocks.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = hash[0]! | 0;
  let b = hash[1]! | 0;
  let c = hash[2]! | 0;
  let d = hash[3]! | 0;
  let e = hash[4]! | 0;
  let f = hash[5]! | 0;
  let g = hash[6]! | 0;
  let h = hash[7]! | 0;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + round[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  hash[0] = hash[0]! + a;
  hash[1] = hash[1]! + b;
  hash[2] = hash[2]! + c;
  hash[3] = hash[3]! + d;
  hash[4] = hash[4]! + e;
  hash[5] = hash[5]! + f;
  hash[6] = hash[6]! + g;
  hash[7] = hash[7]! + h;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractional part, exactly: `root` gives floor(2^64 times the root). */
function fraction(root: bigint): number {
  return Number((root >> 32n) & 0xffffffffn);
}

function integerRoot(value: bigint, degree: bigint): bigint {
  let low = 0n;
  let high = 1n << 72n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= value) low = middle;
    else high = middle;
  }
  return low;
}

function firstPrimes(count: number): bigint[] {
  const primes: bigint[] = [];
  for (let candidate = 2n; primes.length < count; candidate++)
    if (primes.every((prime) => candidate % prime !== 0n)) primes.push(candidate);
  return primes;
}

interface Tables {
  readonly initial: Uint32Array;
  readonly round: Uint32Array;
}

// Worked out on first use: most programs that load this package hash nothing.
let tables: Tables | undefined;

/** The constants of the standard: roots of the first primes. */
function makeTables(): Tables {
  const primes = firstPrimes(64);
  return {
    initial: Uint32Array.from(primes.slice(0, 8), (prime) =>
      fraction(integerRoot(prime << 128n, 2n)),
    ),
    round: Uint32Array.from(primes, (prime) => fraction(integerRoot(prime << 192n, 3n))),
  };
}
