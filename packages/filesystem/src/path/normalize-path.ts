import { FilesystemError } from "../protocol/filesystem-error.js";
import type { VirtualPath } from "./virtual-path.js";

export interface NormalizedPath {
  readonly path: VirtualPath;
  /** Whether the caller wrote it as a directory, with a slash at its end. */
  readonly namesDirectory: boolean;
}

export interface NormalizeOptions {
  /** For the error. */
  readonly operation: string;
  /** Absolute paths must lie under it. @default none: a leading `/` means the root */
  readonly mountPoint?: string | undefined;
}

/**
 * The one door through which every path of every backend goes.
 *
 * Nothing is trimmed, decoded or folded. `..` resolves inside the root, and a path
 * that climbs above it is refused rather than bent back.
 */
export function normalizePath(path: string, options: NormalizeOptions): NormalizedPath {
  if (typeof path !== "string") throw invalid(typeof path, options, "a path must be a string");
  if (path.length > MAX_CHARACTERS)
    throw invalid(
      path,
      options,
      `a path has at most ${MAX_CHARACTERS.toLocaleString("en")} characters`,
    );
  // Most paths come as they should be; those need no pieces to be made.
  if ((path.length <= MAX_SIMPLE_CHARACTERS && SIMPLE.test(path)) || isPlain(path))
    return { path: path as VirtualPath, namesDirectory: false };
  if (CONTROL.test(path)) throw invalid(path, options, "path holds a control character");
  if (!path.isWellFormed()) throw invalid(path, options, "path is not well-formed Unicode");

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

/** Far beyond every tree on disk, and still told in milliseconds. */
const MAX_CHARACTERS = 1_048_576;

/** The engine keeps a note of each segment that the pattern has passed, and has room for so many only. */
const MAX_SIMPLE_CHARACTERS = 4_096;

/** Printable ASCII without a backslash, and no segment that is empty or starts with a dot. As most paths are, and told fastest. */
const SIMPLE = /^(?:[ --0-[\]-~][ -.0-[\]-~]*(?:\/(?!$)|$))+$/;

/** Whether the path is its own normal form, told in one pass and without making anything. */
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

/** What is left when `.` and `..` are gone; `undefined` when the path climbs above where it starts. */
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
  if (options.mountPoint === undefined) return segments;
  const prefix = options.mountPoint.split("/").filter((segment) => segment !== "");
  const within = prefix.every((segment, index) => segments[index] === segment);
  if (!within) throw escaping(path, options);
  return segments.slice(prefix.length);
}

function escaping(path: string, { operation, mountPoint }: NormalizeOptions): FilesystemError {
  const root = mountPoint ?? "the workspace root";
  const reason = `path leads out of the workspace; paths lie under ${root}`;
  return new FilesystemError("EACCES", { operation, path, reason });
}

function invalid(path: string, options: NormalizeOptions, reason: string): FilesystemError {
  return new FilesystemError("EINVAL", { operation: options.operation, path, reason });
}
