const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const BYTES_PER_LINE = 52;

/** The part of a patch that replaces any content by another. `git apply -R` can revert it. */
export async function binaryPatch(before: Uint8Array, after: Uint8Array): Promise<string> {
  return `GIT binary patch\n${await literal(after)}\n${await literal(before)}\n`;
}

async function literal(bytes: Uint8Array): Promise<string> {
  const packed = await deflate(bytes);
  const lines = [`literal ${bytes.length}\n`];
  for (let start = 0; start < packed.length; start += BYTES_PER_LINE)
    lines.push(encodeLine(packed.subarray(start, start + BYTES_PER_LINE)));
  return lines.join("");
}

/** zlib's format, with an API that browsers have too. */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  // Copied, because a Blob does not accept shared memory.
  const stream = new Blob([new Uint8Array(bytes)]).stream();
  const packed = stream.pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** One character for the length, then five characters for every four bytes. */
function encodeLine(bytes: Uint8Array): string {
  const { length } = bytes;
  let line = String.fromCharCode(length <= 26 ? 0x40 + length : 0x60 + length - 26);
  for (let start = 0; start < length; start += 4) {
    let value = 0;
    for (let index = start; index < start + 4; index++) value = value * 256 + (bytes[index] ?? 0);
    let group = "";
    for (let digit = 0; digit < 5; digit++) {
      group = ALPHABET.charAt(value % 85) + group;
      value = Math.floor(value / 85);
    }
    line += group;
  }
  return `${line}\n`;
}
