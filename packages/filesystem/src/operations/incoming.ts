import { describeKind } from "@wink/store/internal";
import type { WriteMode, WriteOptions } from "../protocol/filesystem.js";
import { failure, type Target, type Workspace } from "./workspace.js";
import type { Incoming } from "./write-file.js";

const encoder = new TextEncoder();
const TEXT_ADVICE = "Use writeBytes for bytes.";
const MODES: readonly WriteMode[] = ["create", "overwrite", "append"];

/** Validates the text before any other check, and measures it without keeping its bytes. */
export function incomingText(
  workspace: Workspace,
  target: Target,
  text: string,
  options: WriteOptions,
): Incoming {
  requireMode(target, options.mode);
  if (typeof text !== "string")
    throw failure(
      target,
      "EINVAL",
      `content must be a string, got ${describeKind(text)}`,
      TEXT_ADVICE,
    );
  if (!text.isWellFormed())
    throw failure(target, "EINVAL", "content has an unpaired surrogate and is not valid Unicode");
  const sizeBytes = byteLength(text, workspace.limits.maxWriteBytes);
  requireSize(workspace, target, sizeBytes);
  return { content: text, sizeBytes };
}

export function incomingBytes(
  workspace: Workspace,
  target: Target,
  bytes: Uint8Array,
  options: WriteOptions,
): Incoming {
  requireMode(target, options.mode);
  if (!(bytes instanceof Uint8Array))
    throw failure(target, "EINVAL", `content must be a Uint8Array, got ${describeKind(bytes)}`);
  requireSize(workspace, target, bytes.length);
  return { content: bytes, sizeBytes: bytes.length };
}

export function requireMode(target: Target, mode: WriteMode | undefined): void {
  if (mode === undefined || MODES.includes(mode)) return;
  throw failure(target, "EINVAL", `mode must be one of ${MODES.join(", ")}`);
}

export function requireSize({ limits }: Workspace, target: Target, sizeBytes: number): void {
  if (sizeBytes <= limits.maxWriteBytes) return;
  const reason = `one write takes at most ${limits.maxWriteBytes} bytes`;
  throw failure(target, "EFBIG", reason, "Use openWrite for more.");
}

/** Where available, `Buffer` measures without encoding. */
const { Buffer } = globalThis;

/** The length in UTF-8. Any number over `limit` when it is longer than that. */
function byteLength(text: string, limit: number): number {
  // Each UTF-16 unit takes at least one byte in UTF-8, so a text over the limit need not be encoded.
  if (text.length > limit) return text.length;
  return Buffer?.byteLength(text) ?? encoder.encode(text).length;
}
