import { createHash } from "node:crypto";
import { closeSync, fsync, fsyncSync, openSync, readFileSync } from "node:fs";
import { writeParts } from "./host-state.js";

/** Creates a file of a journal. It is on the disk only after `flushFiles`. */
export function createFile(path: string, parts: Iterable<Uint8Array>): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeParts(fd, parts);
  } finally {
    closeSync(fd);
  }
}

/** Creates a file of a journal from parts that are read one after the other. Returns the SHA-256 of its content. */
export async function copyToFile(
  path: string,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<string> {
  const hash = createHash("sha256");
  const fd = openSync(path, "wx", 0o600);
  try {
    for await (const part of parts) {
      hash.update(part);
      writeParts(fd, [part]);
    }
  } finally {
    closeSync(fd);
  }
  return hash.digest("hex");
}

const CONCURRENT_FLUSHES = 16;

/**
 * Flushes files to the disk. Concurrent flushes share disk writes: many small files take about a tenth of the time. The
 * event loop is not blocked.
 *
 * @param onFlushed called after each file with the number of flushed files
 */
export async function flushFiles(
  paths: readonly string[],
  onFlushed: (count: number) => void,
): Promise<void> {
  const waiting = paths.values();
  const failures: unknown[] = [];
  let count = 0;
  const flush = async () => {
    // All flushes take from one iterator, so each file is flushed once.
    for (const path of waiting) {
      if (failures.length > 0) return;
      await flushFile(path).catch((error: unknown) => failures.push(error));
      onFlushed(++count);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_FLUSHES }, flush));
  if (failures.length > 0) throw failures[0];
}

async function flushFile(path: string): Promise<void> {
  const fd = openSync(path, "r");
  try {
    await new Promise<void>((resolve, reject) => {
      fsync(fd, (error) => (error ? reject(error) : resolve()));
    });
  } finally {
    closeSync(fd);
  }
}

/** The content of a file. Given a path, Node's `readFileSync` leaves the file open when `fstat` fails. */
export function readWhole(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function syncDirectory(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
