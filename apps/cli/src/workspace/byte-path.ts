/**
 * A path as bytes. Names on disk are bytes, and need not be UTF-8: read as text, a name such as `caf\xe9.txt` leads to no file.
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
