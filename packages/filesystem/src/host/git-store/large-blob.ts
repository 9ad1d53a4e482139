import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { constants, createInflate, inflateSync } from "node:zlib";
import type { ObjectFormat } from "./object-format.js";

/** The header of an object is in the first bytes of its file. */
export const HEADER_BYTES = 128;
const PART_BYTES = 1024 * 1024;

/** The size that the header of a loose blob names. `undefined` if this is not the beginning of a blob. */
export function blobSize(beginning: Uint8Array): number | undefined {
  try {
    const text = inflateSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1");
    const size = /^blob (\d{1,15})\0/.exec(text)?.[1];
    return size === undefined ? undefined : Number(size);
  } catch {
    return undefined;
  }
}

/** Reads the content of a loose blob in parts. Throws after the last part if the content does not have the ID. */
export async function* blobParts(
  path: string,
  format: ObjectFormat,
  id: string,
): AsyncGenerator<Uint8Array, void, void> {
  const inflate = createInflate({ chunkSize: PART_BYTES });
  const file = createReadStream(path, { highWaterMark: PART_BYTES });
  file.on("error", (error) => inflate.destroy(error)).pipe(inflate);
  const hash = createHash(format.name);
  let isInside = false;
  try {
    for await (const chunk of inflate) {
      const part: Buffer = chunk;
      // The ID is the hash of header and content.
      hash.update(part);
      const content = isInside ? part : part.subarray(part.indexOf(0) + 1);
      isInside = true;
      if (content.length > 0) yield content;
    }
  } finally {
    file.destroy();
  }
  if (hash.digest("hex") !== id) throw new Error("the object is damaged");
}
