import { STREAM_NAMES, type StreamName } from "../engine/engine.js";
import { decodeFrames, encodeFrames, totalBytes } from "../engine/frames.js";
import type { HeadObject, Segment } from "./head-object.js";
import type { ObjectWriter } from "./head-parts.js";
import type { Storage } from "./storage.js";

/** The newest records stay in the head up to this size, because each commit writes the head. */
const MAX_TAIL_BYTES = 64 * 1024;
const SMALL_SEGMENT_BYTES = 1024 * 1024;
const MAX_SMALL_SEGMENTS = 16;

type Streams = Pick<HeadObject, "segments" | "tail">;

/**
 * The streams with new records at their end.
 *
 * Records move from the head to small segments, and 16 small segments become a large one, so that the list of segments
 * stays short and each record is written about three times.
 */
export async function appendRecords(
  storage: Storage,
  objects: ObjectWriter,
  head: HeadObject,
  records: Readonly<Record<StreamName, readonly Uint8Array[]>>,
): Promise<Streams> {
  const segments = { ...head.segments };
  const tail = { ...head.tail };
  for (const stream of STREAM_NAMES) {
    const newest = [...tail[stream], ...records[stream]];
    tail[stream] = newest;
    const sizeBytes = totalBytes(newest);
    if (sizeBytes <= MAX_TAIL_BYTES) continue;
    tail[stream] = [];
    const first = head.counts[stream] + records[stream].length - newest.length + 1;
    const object = objects.putObject(encodeFrames(newest));
    segments[stream] = await merge(storage, objects, [
      ...segments[stream],
      { object, first, count: newest.length, sizeBytes },
    ]);
  }
  return { segments, tail };
}

/** Merges the small segments at the end when there are many. */
async function merge(
  storage: Storage,
  objects: ObjectWriter,
  segments: readonly Segment[],
): Promise<readonly Segment[]> {
  const lastLarge = segments.findLastIndex(({ sizeBytes }) => sizeBytes >= SMALL_SEGMENT_BYTES);
  const small = segments.slice(lastLarge + 1);
  const [first] = small;
  if (small.length < MAX_SMALL_SEGMENTS || first === undefined) return segments;
  // The newest segment is a part of this commit and may not be written yet.
  await objects.flush();
  const parts = await Promise.all(small.map(({ object }) => storage.get(`o/${object}`)));
  if (parts.some((part) => part === undefined)) return segments;
  const frames = parts.flatMap((part) => (part ? decodeFrames(part.bytes, "records") : []));
  const merged: Segment = {
    object: objects.putObject(encodeFrames(frames)),
    first: first.first,
    count: frames.length,
    sizeBytes: totalBytes(frames),
  };
  return [...segments.slice(0, lastLarge + 1), merged];
}

/** The records after number `after`. `undefined` if a segment is gone, because another writer merged it. */
export async function readRecords(
  storage: Storage,
  head: HeadObject,
  stream: StreamName,
  after: number,
  maxBytes: number,
): Promise<readonly Uint8Array[] | undefined> {
  const page: Uint8Array[] = [];
  let sizeBytes = 0;
  for (const segment of head.segments[stream]) {
    if (segment.first + segment.count - 1 <= after) continue;
    if (page.length > 0 && sizeBytes + segment.sizeBytes > maxBytes) return page;
    const value = await storage.get(`o/${segment.object}`);
    if (value === undefined) return undefined;
    const frames = decodeFrames(value.bytes, "records");
    page.push(...frames.slice(Math.max(0, after + 1 - segment.first)));
    sizeBytes += segment.sizeBytes;
  }
  if (page.length > 0 && sizeBytes > maxBytes) return page;
  const { counts, tail } = head;
  const firstOfTail = counts[stream] - tail[stream].length + 1;
  return [...page, ...tail[stream].slice(Math.max(0, after + 1 - firstOfTail))];
}
