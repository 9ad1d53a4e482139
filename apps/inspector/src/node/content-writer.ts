import type { TreeEntry } from "@wink/filesystem";
import { MAX_CONTENT_BYTES } from "../model/view-content.js";
import type { ContentPlaces, FileJson } from "../source/page-format.js";
import type { ChunkWriter } from "./chunk-writer.js";

const CHUNK_BYTES = 500_000;
const KINDS = { file: "f", directory: "d", symlink: "l" } as const;

/** Writes contents of files, each once, several to a chunk. */
export class ContentWriter {
  readonly #writer: ChunkWriter;
  readonly #places: Record<string, ContentPlaces[string]> = {};
  readonly #known = new Set<string>();
  #waiting: { readonly id: string; readonly bytes: Uint8Array }[] = [];
  #size = 0;
  fileCount = 0;
  fileBytes = 0;

  constructor(writer: ChunkWriter) {
    this.#writer = writer;
  }

  /** Adds the content of a file. A page does not show more than the limit, so the rest is left out. */
  async add(entry: TreeEntry): Promise<FileJson> {
    const { kind, sizeBytes, executable, contentId } = entry;
    const mode = entry.mode ?? (kind === "directory" || executable ? 0o755 : 0o644);
    if (kind !== "directory" && !this.#known.has(contentId)) {
      this.#known.add(contentId);
      // One byte more than is shown, so that the page says that there is more.
      const bytes = (await entry.read()).subarray(0, MAX_CONTENT_BYTES + 1);
      this.#waiting.push({ id: contentId, bytes });
      this.#size += bytes.length;
      this.fileCount++;
      this.fileBytes += bytes.length;
      if (this.#size > CHUNK_BYTES) this.#flush();
    }
    return [KINDS[kind], sizeBytes, mode, kind === "directory" ? "" : contentId];
  }

  /** Writes the rest. Returns the chunk with all places, or `null` without contents. */
  finish(): number | null {
    this.#flush();
    return this.#known.size === 0 ? null : this.#writer.json(this.#places);
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const chunk = this.#writer.bytes(Buffer.concat(this.#waiting.map(({ bytes }) => bytes)));
    let offset = 0;
    for (const { id, bytes } of this.#waiting) {
      this.#places[id] = [chunk, offset, bytes.length];
      offset += bytes.length;
    }
    this.#waiting = [];
    this.#size = 0;
  }
}
