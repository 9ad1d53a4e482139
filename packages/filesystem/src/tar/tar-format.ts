/** A tar archive consists of blocks of this size. */
export const BLOCK_BYTES = 512;

/** A header block of the archive, before its extended attributes are applied. */
export interface TarHeader {
  readonly name: Uint8Array;
  readonly mode: number;
  /** Whole seconds since 1970. A pax record has the fraction. */
  readonly modifiedAtSeconds: number;
  readonly sizeBytes: number;
  /** The type flag: `0` file, `1` hard link, `2` symbolic link, `5` directory, and so on. */
  readonly type: string;
  readonly linkName: Uint8Array;
}

const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  linkName: [157, 100],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

type Field = keyof typeof FIELDS;

export const MAX_PLAIN_NAME_BYTES = FIELDS.name[1];
/** The largest size that fits into eleven octal digits. */
export const MAX_PLAIN_SIZE = 0o77777777777;

/** A header block that every tar can read. Names that are too long are truncated; a pax record has the full name. */
export function encodeHeader(header: TarHeader): Uint8Array {
  const { name, mode, modifiedAtSeconds, sizeBytes, type, linkName } = header;
  const block = new Uint8Array(BLOCK_BYTES);
  put(block, "name", name);
  put(block, "mode", octal(mode, 7));
  put(block, "uid", octal(0, 7));
  put(block, "gid", octal(0, 7));
  put(block, "size", octal(Math.min(sizeBytes, MAX_PLAIN_SIZE), 11));
  put(block, "mtime", octal(modifiedAtSeconds, 11));
  put(block, "type", ascii(type));
  put(block, "linkName", linkName);
  put(block, "magic", ascii("ustar\u000000"));
  put(block, "checksum", ascii(`${checksum(block).toString(8).padStart(6, "0")}\0 `));
  return block;
}

/** Returns `undefined` when the checksum is wrong or a number is invalid. */
export function decodeHeader(block: Uint8Array): TarHeader | undefined {
  const sizeBytes = number(field(block, "size"));
  const mode = number(field(block, "mode"));
  const sum = number(field(block, "checksum"));
  const modifiedAtSeconds = number(field(block, "mtime")) ?? 0;
  if (sizeBytes === undefined || mode === undefined || sum !== checksum(block)) return undefined;
  return {
    name: fullName(block),
    mode,
    modifiedAtSeconds,
    sizeBytes,
    // Archives from before the standard leave the type of a file empty.
    type: text(field(block, "type")) || "0",
    linkName: untilNul(field(block, "linkName")),
  };
}

export function isEmptyBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** The number of padding bytes after a content of this size. */
export function paddingBytes(sizeBytes: number): number {
  return (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** Ignores the prefix in GNU's own format, which uses that field for other data. */
function fullName(block: Uint8Array): Uint8Array {
  const name = untilNul(field(block, "name"));
  const prefix = untilNul(field(block, "prefix"));
  const isStandard = text(field(block, "magic").subarray(0, 6)) === "ustar";
  if (!isStandard || prefix.length === 0 || field(block, "magic")[5] !== 0) return name;
  return Uint8Array.of(...prefix, 0x2f, ...name);
}

function field(block: Uint8Array, name: Field): Uint8Array {
  const [start, length] = FIELDS[name];
  return block.subarray(start, start + length);
}

function put(block: Uint8Array, name: Field, bytes: Uint8Array): void {
  const [start, length] = FIELDS[name];
  block.set(bytes.subarray(0, length), start);
}

/** The sum of all bytes. The checksum field itself counts as spaces. */
function checksum(block: Uint8Array): number {
  const [start, length] = FIELDS.checksum;
  let sum = 0x20 * length;
  for (let index = 0; index < block.length; index++)
    if (index < start || index >= start + length) sum += block[index] ?? 0;
  return sum;
}

function octal(value: number, digits: number): Uint8Array {
  return ascii(value.toString(8).padStart(digits, "0"));
}

/** Octal digits between spaces, or GNU's binary form for large numbers if the first bit is set. */
function number(bytes: Uint8Array): number | undefined {
  const [first = 0, ...rest] = bytes;
  if (first === 0x80) {
    const value = rest.reduce((sum, byte) => sum * 256 + byte, 0);
    return Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = text(bytes).trim();
  if (digits === "") return 0;
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

export function ascii(value: string): Uint8Array {
  return Uint8Array.from(value, (character) => character.charCodeAt(0));
}

function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function text(bytes: Uint8Array): string {
  return String.fromCharCode(...untilNul(bytes));
}
