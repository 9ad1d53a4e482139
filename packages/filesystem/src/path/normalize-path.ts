import { describeKind } from "@wink/store/internal";
import { orEmpty } from "../protocol/coded-error.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import type { VirtualPath } from "./virtual-path.js";

export interface NormalizedPath {
  readonly path: VirtualPath;
  /** Whether the path ends with a slash or `.`, which means a directory. */
  readonly namesDirectory: boolean;
}

export interface NormalizeOptions {
  /** The public method, for the error. */
  readonly operation: string;
  /** Absolute paths must be under it. @default none: a leading `/` means the root */
  readonly mountPoint?: string | undefined;
}

/**
 * Normalises every path of every backend.
 *
 * Nothing is trimmed, decoded or case-folded. `..` resolves inside the root. A path above the root is refused, not
 * clamped to the root.
 */
export function normalizePath(path: string, options: NormalizeOptions): NormalizedPath {
  if (typeof path !== "string")
    throw invalid(path, options, `a path must be a string, got ${describeKind(path)}`);
  if (path.length > MAX_CHARACTERS)
    throw invalid(
      path,
      options,
      `a path has at most ${MAX_CHARACTERS.toLocaleString("en")} characters`,
    );
  // Most paths are already normal, and these need no allocation.
  if (isPlain(path)) return { path: path as VirtualPath, namesDirectory: false };
  if (CONTROL.test(path)) throw invalid(path, options, "the path contains a control character");
  if (!path.isWellFormed()) throw invalid(path, options, "the path is not well-formed Unicode");

  const slashed = path.replaceAll("\\", "/");
  const segments = resolveSegments(slashed);
  if (segments === undefined) throw escaping(path, options);
  const inside = slashed.startsWith("/") ? belowMountPoint(segments, path, options) : segments;
  return {
    path: inside.join("/") as VirtualPath,
    namesDirectory: [".", ""].includes(slashed.slice(slashed.lastIndexOf("/") + 1)),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Far above any path on disk, and still checked within milliseconds. */
const MAX_CHARACTERS = 1_048_576;

/** Whether the path is already normal. One pass, no allocation. */
function isPlain(path: string): boolean {
  let start = 0;
  for (let index = 0; index <= path.length; index++) {
    const code = index === path.length ? SLASH : path.charCodeAt(index);
    if (code === SLASH) {
      if (isDropped(path, start, index - start)) return false;
      start = index + 1;
    } else if (code < 0x20 || code === BACKSLASH || code >= 0x7f) {
      if (code <= 0x9f || (code >= 0xd800 && code <= 0xdfff)) return false;
    }
  }
  return true;
}

/** Whether the segment at `start` is empty, `.` or `..`. */
function isDropped(path: string, start: number, length: number): boolean {
  if (length === 0) return true;
  if (length > 2 || path.charCodeAt(start) !== DOT) return false;
  return length === 1 || path.charCodeAt(start + 1) === DOT;
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const DOT = 0x2e;

/** Resolves `.` and `..`. Returns `undefined` when the path goes above its start. */
function resolveSegments(path: string): string[] | undefined {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}

function belowMountPoint(segments: string[], path: string, options: NormalizeOptions): string[] {
  const { mountPoint } = orEmpty(options);
  if (mountPoint === undefined) return segments;
  const prefix = mountPoint.split("/").filter((segment) => segment !== "");
  const within = prefix.every((segment, index) => segments[index] === segment);
  if (!within) throw escaping(path, options);
  return segments.slice(prefix.length);
}

function escaping(path: string, options: NormalizeOptions): FilesystemError {
  const { operation = "normalizePath", mountPoint } = orEmpty(options);
  const root = mountPoint ?? "the workspace root";
  const reason = `the path escapes from the workspace; use one under ${root}`;
  return new FilesystemError("EACCES", { operation, path, reason });
}

function invalid(path: string, options: NormalizeOptions, reason: string): FilesystemError {
  const { operation } = orEmpty(options);
  return new FilesystemError("EINVAL", { operation: operation ?? "normalizePath", path, reason });
}
