import type { CallOptions, Filesystem } from "@wink/filesystem";

/** All bytes of a file, also of one that is larger than the limit of one read. */
export async function readWholeFile(
  filesystem: Filesystem,
  path: string,
  options: CallOptions = {},
): Promise<Uint8Array> {
  await using reader = await filesystem.openRead(path, options);
  const bytes = new Uint8Array(reader.sizeBytes);
  let end = 0;
  for await (const chunk of reader) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}
