import type { FileContent } from "../file-content.js";

const SAMPLE_CHARACTERS = 64;

/**
 * Gives equal contents equal ids, for one comparison.
 *
 * A revision is new with every write, so that a file which was deleted and written
 * again elsewhere has another one; to find out that it moved takes a look at the content.
 */
export class ContentIds {
  readonly #known = new Map<string, FileContent[]>();

  idOf(content: FileContent): string {
    const sample = sampleOf(content);
    const alike = this.#known.get(sample);
    const same = alike?.find((each) => each.equals(content));
    if (same !== undefined) return same.revision;
    if (alike === undefined) this.#known.set(sample, [content]);
    else alike.push(content);
    return content.revision;
  }
}

/** Tells most contents apart without comparing them whole. */
function sampleOf(content: FileContent): string {
  const text = content.text();
  if (text === undefined)
    return `${content.sizeBytes} ${content.bytes().subarray(0, SAMPLE_CHARACTERS)}`;
  return `${content.sizeBytes} ${text.slice(0, SAMPLE_CHARACTERS)} ${text.slice(-SAMPLE_CHARACTERS)}`;
}
