import type { FileContent } from "../content/file-content.js";

const SAMPLE_CHARACTERS = 64;
/** Larger contents are not hashed; their samples and a comparison decide. */
const MAX_HASHED_CHARACTERS = 1024 * 1024;
/** Contents with equal samples and hashes are nearly always equal. An attacker who finds collisions gets this many comparisons. */
const MAX_COMPARISONS = 16;

/**
 * Gives equal contents equal ids, for one comparison of two trees.
 *
 * Every write makes a new revision, so a file that was deleted and written again under another
 * path has another revision. Only its content shows that it was moved.
 */
export class ContentIds {
  readonly #known = new Map<string, FileContent[]>();
  // Random, so that no one can prepare files whose hashes collide.
  readonly #seed = Math.floor(Math.random() * 0x1_0000_0000);

  idOf(content: FileContent): string {
    const key = this.#keyOf(content);
    const candidates = this.#known.get(key);
    if (candidates === undefined) {
      this.#known.set(key, [content]);
      return content.revision;
    }
    const same = candidates.find((each) => each.equals(content));
    if (same !== undefined) return same.revision;
    if (candidates.length < MAX_COMPARISONS) candidates.push(content);
    return content.revision;
  }

  /** Files with equal ends and different middles need the hash: comparing each with each would be quadratic. */
  #keyOf(content: FileContent): string {
    const text = content.text();
    if (text === undefined) {
      const bytes = content.bytes();
      const hash = hashOf(this.#seed, bytes.length, (index) => bytes[index] ?? 0);
      return `${content.sizeBytes} ${hash} ${bytes.subarray(0, SAMPLE_CHARACTERS)}`;
    }
    const hash = hashOf(this.#seed, text.length, (index) => text.charCodeAt(index));
    const sample = `${text.slice(0, SAMPLE_CHARACTERS)} ${text.slice(-SAMPLE_CHARACTERS)}`;
    return `${content.sizeBytes} ${hash} ${sample}`;
  }
}

/** MurmurHash3's mixing steps, one unit at a time. */
function hashOf(seed: number, length: number, unitAt: (index: number) => number): number {
  if (length > MAX_HASHED_CHARACTERS) return 0;
  let hash = seed;
  for (let index = 0; index < length; index++) {
    let unit = Math.imul(unitAt(index), 0xcc9e2d51);
    unit = Math.imul((unit << 15) | (unit >>> 17), 0x1b873593);
    hash ^= unit;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  return hash >>> 0;
}
