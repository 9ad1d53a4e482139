import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { compareBytes } from "../path/byte-order.js";
import { pathBytes, shownName } from "../path/host-name.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { TreeEntry, TreeView } from "./tree-view.js";

/** The node at a path: text, bytes, a program, a link, or an empty directory. */
export type Node =
  | string
  | Uint8Array
  | { readonly program: string }
  | { readonly link: string }
  | { readonly directory: true };

export type Tree = Readonly<Record<string, Node>>;

/** A view of a literal tree. Views with different `backend` values have incomparable content ids. */
export function viewOf(tree: Tree, backend = "one"): TreeView {
  const nodes = new Map<string, TreeEntry>();
  for (const [path, node] of Object.entries(tree)) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
      nodes.set(path.slice(0, at), entryOf(path.slice(0, at), { directory: true }, backend));
    nodes.set(path, entryOf(path, node, backend));
  }
  const entries = [...nodes.values()].sort((a, b) => compareBytes(a.path, b.path));
  return { entries: () => entries };
}

export function entryOf(path: string, node: Node, backend = "one"): TreeEntry {
  const bytes = bytesOf(node);
  const isDirectory = typeof node === "object" && "directory" in node;
  return {
    path: path as VirtualPath,
    kind: isDirectory
      ? "directory"
      : typeof node === "object" && "link" in node
        ? "symlink"
        : "file",
    executable: typeof node === "object" && "program" in node,
    sizeBytes: bytes.length,
    contentId: isDirectory ? "" : `${backend}:${Buffer.from(bytes).toString("base64")}`,
    read: () => bytes,
  };
}

function bytesOf(node: Node): Uint8Array {
  if (typeof node === "string") return new TextEncoder().encode(node);
  if (node instanceof Uint8Array) return node;
  if ("program" in node) return new TextEncoder().encode(node.program);
  return new TextEncoder().encode("link" in node ? node.link : "");
}

/** A temporary directory that is deleted after the test. */
export function scratchDirectory(): string {
  // In memory if possible, because a thousand disk flushes would slow these tests down.
  const place = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const directory = mkdtempSync(join(place, "wink-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function diskPath(directory: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), pathBytes(path)]);
}

export function writeTree(directory: string, tree: Tree): void {
  for (const [path, node] of Object.entries(tree)) {
    const target = diskPath(directory, path);
    mkdirSync(parentOf(target), { recursive: true });
    if (typeof node === "object" && "directory" in node) mkdirSync(target, { recursive: true });
    else if (typeof node === "object" && "link" in node) symlinkSync(node.link, target);
    else {
      writeFileSync(target, bytesOf(node));
      chmodSync(target, typeof node === "object" && "program" in node ? 0o755 : 0o644);
    }
  }
}

function parentOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf(0x2f));
}

/** The tree on disk in a comparable form: kind, execute bit and content by path. */
export function readTree(
  directory: string,
  options: { readonly directories?: boolean } = {},
): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (place: Buffer, shown: string) => {
    for (const raw of readdirSync(place, { encoding: "buffer" })) {
      const path = Buffer.concat([place, Buffer.from("/"), raw]);
      const name = shown === "" ? shownName(raw) : `${shown}/${shownName(raw)}`;
      const stat = lstatSync(path);
      if (stat.isDirectory()) {
        if (options.directories) found[name] = "directory";
        visit(path, name);
      } else if (stat.isSymbolicLink()) found[name] = `link ${readlinkSync(path)}`;
      else found[name] = `${(stat.mode & 0o111) !== 0 ? "program" : "file"} ${base64(path)}`;
    }
  };
  visit(Buffer.from(directory), "");
  return found;
}

function base64(path: Buffer): string {
  return readFileSync(path).toString("base64");
}

/** The same form for a literal tree. */
export function describeTree(tree: Tree): Record<string, string> {
  const described: Record<string, string> = {};
  for (const [path, node] of Object.entries(tree)) {
    if (typeof node === "object" && "directory" in node) continue;
    const content = Buffer.from(bytesOf(node)).toString("base64");
    if (typeof node === "object" && "link" in node) described[path] = `link ${node.link}`;
    else if (typeof node === "object" && "program" in node) described[path] = `program ${content}`;
    else described[path] = `file ${content}`;
  }
  return described;
}
