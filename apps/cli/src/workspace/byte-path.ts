/**
 * A path as bytes. Names on disk need not be UTF-8: decoding a name such as `caf\xe9.txt` to a
 * string loses the file.
 */
export type BytePath = Buffer;

export function bytePath(path: string): BytePath {
  return Buffer.from(path);
}

/** The path of an entry in a directory. */
export function entryPath(directory: BytePath, name: Uint8Array): BytePath {
  return Buffer.concat([directory, SLASH, name]);
}

const SLASH = Buffer.from("/");
