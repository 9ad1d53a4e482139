import { count } from "../reply/count.js";
import { oneLine } from "../reply/quote.js";
import type { ScannedFile } from "./ecosystems/project-files.js";

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  fileCount: number;
}

export interface TreeOptions {
  readonly maxDepth: number;
  readonly maxLines: number;
  /** Maximum number of files to show per directory. */
  readonly maxFilesPerFolder: number;
}

const MAX_NAME_CHARACTERS = 100;

/**
 * Renders the files as an indented tree. Deep and long parts are replaced by a count. A tree with too many lines is drawn
 * less deep, so that every directory at the top is shown.
 */
export function drawTree(files: readonly ScannedFile[], options: TreeOptions): string {
  const root = newFolder();
  for (const { path } of files) add(root, path.split("/"));
  let lines: string[] = [];
  for (let maxDepth = options.maxDepth; maxDepth > 0; maxDepth--) {
    lines = [];
    draw(root, 0, { ...options, maxDepth }, lines);
    if (lines.length <= options.maxLines) break;
  }
  if (lines.length <= options.maxLines) return lines.join("\n");
  const left = lines.length - options.maxLines;
  return [...lines.slice(0, options.maxLines), `… ${count(left, "more line")}`].join("\n");
}

function newFolder(): Folder {
  return { folders: new Map(), files: [], fileCount: 0 };
}

function add(root: Folder, segments: readonly string[]): void {
  let folder = root;
  for (const [index, segment] of segments.entries()) {
    folder.fileCount++;
    if (index === segments.length - 1) {
      folder.files.push(segment);
      continue;
    }
    const next: Folder = folder.folders.get(segment) ?? newFolder();
    folder.folders.set(segment, next);
    folder = next;
  }
}

function draw(folder: Folder, depth: number, options: TreeOptions, lines: string[]): void {
  const indent = "  ".repeat(depth);
  for (const [name, child] of folder.folders) {
    // Far more lines than can be shown, so stop here.
    if (lines.length > options.maxLines * 10) return;
    // A hidden directory says little about the project.
    const isOpen = depth + 1 < options.maxDepth && !name.startsWith(".");
    lines.push(
      `${indent}${oneLine(name, MAX_NAME_CHARACTERS)}/${isOpen ? "" : ` (${count(child.fileCount, "file")})`}`,
    );
    if (isOpen) draw(child, depth + 1, options, lines);
  }
  const shown = folder.files.slice(0, options.maxFilesPerFolder);
  for (const name of shown) lines.push(indent + oneLine(name, MAX_NAME_CHARACTERS));
  const left = folder.files.length - shown.length;
  if (left > 0) lines.push(`${indent}… ${count(left, "more file")}`);
}
