import type { BlobRef, Head } from "@wink/store";
import { FileContent } from "../content/file-content.js";
import type { StoredContent } from "./stored-content.js";

/** A larger content is read in parts, unless a caller needs all of it. */
const MAX_WHOLE_BYTES = 1024 * 1024;

interface Wanted {
  readonly content: StoredContent;
  readonly resolve: (content: FileContent) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Contents in memory, by their hash. The contents that were used last stay, up to a number of bytes.
 *
 * Contents that are asked for in the same turn of the event loop are fetched in one call.
 */
export class ContentCache {
  readonly #head: Pick<Head, "read" | "readRange">;
  readonly #maxBytes: number;
  /** The content that was used last comes last. */
  readonly #contents = new Map<string, FileContent>();
  readonly #loading = new Map<string, Promise<FileContent>>();
  #wanted: Wanted[] = [];
  #bytes = 0;

  constructor(head: Pick<Head, "read" | "readRange">, maxBytes: number) {
    this.#head = head;
    this.#maxBytes = maxBytes;
  }

  get(contentId: string): FileContent | undefined {
    const found = this.#contents.get(contentId);
    if (found === undefined) return undefined;
    this.#contents.delete(contentId);
    this.#contents.set(contentId, found);
    return found;
  }

  add(content: FileContent): void {
    if (content.sizeBytes > this.#maxBytes || this.#contents.has(content.revision)) return;
    this.#contents.set(content.revision, content);
    this.#bytes += content.sizeBytes;
    for (const [id, { sizeBytes }] of this.#contents) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#contents.delete(id);
      this.#bytes -= sizeBytes;
    }
  }

  load(content: StoredContent): Promise<FileContent> {
    const { revision } = content;
    const running = this.#loading.get(revision);
    if (running !== undefined) return running;
    const loading = new Promise<FileContent>((resolve, reject) => {
      if (this.#wanted.length === 0) queueMicrotask(() => void this.#fetch());
      this.#wanted.push({ content, resolve, reject });
    });
    this.#loading.set(revision, loading);
    return loading;
  }

  async readPart(content: StoredContent, offset: number, length: number): Promise<Uint8Array> {
    if (content.sizeBytes > MAX_WHOLE_BYTES)
      return await this.#head.readRange(refOf(content), offset, length);
    return (await this.load(content)).bytes().subarray(offset, offset + length);
  }

  async #fetch(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    try {
      const found = await this.#head.read(wanted.map(({ content }) => refOf(content)));
      for (const { content, resolve } of wanted) {
        // `read` rejects when one is missing.
        const bytes = found.get(refOf(content)) as Uint8Array;
        const loaded = FileContent.ofBytes(bytes, content.revision);
        this.add(loaded);
        resolve(loaded);
      }
    } catch (error) {
      for (const { reject } of wanted) reject(error);
    } finally {
      for (const { content } of wanted) this.#loading.delete(content.revision);
    }
  }
}

function refOf(content: StoredContent): BlobRef {
  // Only contents without own bytes are fetched, and these have a reference.
  return content.ref as BlobRef;
}
