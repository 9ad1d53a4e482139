import type { ToolImage } from "@wink/prompt";

const MAGIC: readonly (readonly [ToolImage["mediaType"], readonly number[], number])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 0],
  ["image/jpeg", [0xff, 0xd8, 0xff], 0],
  ["image/gif", [0x47, 0x49, 0x46, 0x38], 0],
  // After `RIFF` and the size.
  ["image/webp", [0x57, 0x45, 0x42, 0x50], 8],
];

/** The image in these bytes, if models can see its format. The name of a file says nothing about its content. */
export function imageIn(bytes: Uint8Array): ToolImage | undefined {
  const [mediaType] =
    MAGIC.find(([, magic, at]) => magic.every((byte, index) => bytes[at + index] === byte)) ?? [];
  return mediaType && { mediaType, data: toBase64(bytes) };
}

/** A multiple of 3, so that the parts have no padding. */
const PART_BYTES = 24_576;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PART_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PART_BYTES)));
  return text;
}
