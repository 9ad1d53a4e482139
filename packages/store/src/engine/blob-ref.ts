import { quoted } from "../arguments/quoted.js";
import type { BlobAddress } from "./engine.js";
import { StoreError } from "./store-error.js";

/**
 * Names a stored content. Opaque: store it, compare it, give it back.
 *
 * Two equal contents may have different references. Compare `contentId` instead.
 */
export type BlobRef = string;

/** A reference, taken to pieces. */
export interface ParsedRef extends BlobAddress {
  /** A content in chunks: the blob lists their references. */
  readonly chunked: boolean;
  /** Which of the head's pools it is in. */
  readonly pool: number;
  readonly sizeBytes: number;
}

const FORM = /^([bc])([0-9a-z]+)-([0-9a-z]+)-([0-9A-Za-z_]+)(?:-([0-9A-Za-z.]+))?$/;

export function formatRef({ chunked, pool, sizeBytes, id, at }: ParsedRef): BlobRef {
  const place = at === undefined ? "" : `-${at}`;
  return `${chunked ? "c" : "b"}${pool.toString(36)}-${sizeBytes.toString(36)}-${id}${place}`;
}

/** A reference with its parts. */
export interface LocatedRef extends ParsedRef {
  readonly ref: BlobRef;
}

export function parseRef(ref: BlobRef): LocatedRef {
  const [, kind, pool = "", size = "", id = "", at] =
    (typeof ref === "string" && FORM.exec(ref)) || [];
  if (kind === undefined)
    throw new StoreError("ARGUMENT_INVALID", "ref", `${quoted(ref)} is not a reference of a blob`);
  return {
    ref,
    chunked: kind === "c",
    pool: Number.parseInt(pool, 36),
    sizeBytes: Number.parseInt(size, 36),
    id,
    at,
  };
}
