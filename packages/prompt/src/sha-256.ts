/**
 * SHA-256 of a text's UTF-8, in hexadecimal.
 *
 * Written out because what the platform has answers with a promise, and hashes
 * are wanted where nothing waits.
 */
export function sha256(text: string): string {
  const blocks = pad(new TextEncoder().encode(text));
  const hash = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < blocks.byteLength; offset += 64)
    compress(hash, schedule, blocks, offset);
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
function compress(hash: Uint32Array, w: Uint32Array, blocks: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = blocks.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as Eight;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) >>> 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = hash[i]! + word;
}

type Eight = [number, number, number, number, number, number, number, number];

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

const PRIMES = firstPrimes(64);
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(integerRoot(prime << 192n, 3n)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(integerRoot(prime << 128n, 2n)));
