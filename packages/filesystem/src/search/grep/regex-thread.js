// The program of a worker thread. JavaScript with checked types, because the thread starts from this file as it is:
// from `src` in tests, where no thread could load TypeScript on every supported version of Node, and from `dist`.
// For the same reason it imports nothing but Node. It does the same as `findLineByLine`.
import { readFileSync, readlinkSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {{ part: string } | { endOfText: true } | { maxLines: number }} Request A part of a text, the end of a text, or
 *   the start of a search in the texts so far.
 */

const pattern = new RegExp(workerData.source, workerData.flags);
/** @type {string[]} */
let parts = [];
/** @type {string[]} */
let texts = [];
let cpuMs = () => performance.now();

/** @type {string | undefined} */
let threadId;
try {
  const place = readlinkSync("/proc/thread-self");
  const readMs = () =>
    Number.parseInt(readFileSync("/proc/thread-self/schedstat", "latin1"), 10) / 1e6;
  if (readMs() > 0) {
    cpuMs = readMs;
    threadId = place.slice(place.lastIndexOf("/") + 1);
  }
} catch {
  // Without /proc the wall clock is all there is.
}
parentPort?.postMessage({ threadId });

parentPort?.on("message", (/** @type {Request} */ message) => {
  if ("part" in message) parts.push(message.part);
  else if ("endOfText" in message) {
    texts.push(parts.join(""));
    parts = [];
  } else {
    const searched = texts;
    texts = [];
    answer(searched, message.maxLines);
  }
});

/**
 * @param {readonly string[]} searched
 * @param {number} maxLines
 */
function answer(searched, maxLines) {
  const startMs = cpuMs();
  /** @type {number[]} */
  const found = [];
  try {
    for (const [textIndex, text] of searched.entries()) findLines(text, textIndex, maxLines, found);
  } catch {
    parentPort?.postMessage({ failed: true });
    return;
  }
  // A typed array is transferred without a copy. A list of objects would be copied on both threads.
  const packed = Uint32Array.from(found);
  parentPort?.postMessage({ packed, busyMs: cpuMs() - startMs }, [packed.buffer]);
}

/**
 * Adds six numbers for each matching line to `found`, in the order of the fields of `FoundLine`.
 *
 * @param {string} text
 * @param {number} textIndex
 * @param {number} maxLines
 * @param {number[]} found
 */
function findLines(text, textIndex, maxLines, found) {
  let lineStart = 0;
  for (let lineNumber = 1; lineStart < text.length && found.length < maxLines * 6; lineNumber++) {
    const lineFeed = text.indexOf("\n", lineStart);
    const end = lineFeed < 0 ? text.length : lineFeed;
    const lineEnd = lineFeed > lineStart && text[end - 1] === "\r" ? end - 1 : end;
    const match = pattern.exec(text.slice(lineStart, lineEnd));
    if (match !== null)
      found.push(
        textIndex,
        lineNumber,
        lineStart,
        lineEnd,
        match.index,
        match.index + match[0].length,
      );
    lineStart = end + 1;
  }
}
