import { createHash } from "node:crypto";
import type { PartId } from "./transcript-record.js";

/** Twenty characters. Ids are a large part of a transcript, and 120 bits are enough against collisions. */
const ID_BYTES = 15;

/** The hash of a part's JSON text. */
export function partId(json: string): PartId {
  return createHash("sha256").update(json).digest().subarray(0, ID_BYTES).toString("base64url");
}

/** Replaces texts before they are stored or shown. */
export type Redact = (text: string) => string;

/** The value with every text in it redacted. Keys of objects stay. */
export function redacted(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((each) => redacted(each, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redacted(each, redact)]),
  );
}
