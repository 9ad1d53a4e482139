/** The nodes of the reference model, and what is computed from them. */

/** A file: one character per byte. */
export interface File {
  readonly content: string;
  mode: number;
  /** Known only after it was set. */
  time: string | undefined;
}

export interface Link {
  readonly target: string;
}

export class Folder extends Map<string, Node> {
  mode = 0o755;
  time: string | undefined;
}

export type Node = File | Link | Folder;

/** A rejection. Only the codes are compared. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface Place {
  readonly names: readonly string[];
  readonly namesFolder: boolean;
}

export function isLink(node: Node | undefined): node is Link {
  return node !== undefined && "target" in node;
}

export function isFile(node: Node | undefined): node is File {
  return node !== undefined && "content" in node;
}

export function copyOf(node: Node): Node {
  if (!(node instanceof Folder)) return { ...node };
  const copy = new Folder();
  copy.mode = node.mode;
  copy.time = node.time;
  for (const [name, child] of node) copy.set(name, copyOf(child));
  return copy;
}

export function place(path: string): Place {
  for (const character of path) {
    const code = character.codePointAt(0) as number;
    if (code < 32 || (code >= 127 && code < 160) || (code >= 0xd800 && code < 0xe000))
      throw new Refused("EINVAL");
  }
  const pieces = path.split(/[/\\]/);
  const names: string[] = [];
  for (const piece of pieces) {
    if (piece === "..") {
      if (names.length === 0) throw new Refused("EACCES");
      names.pop();
    } else if (piece !== "" && piece !== ".") names.push(piece);
  }
  const end = pieces.at(-1);
  return { names, namesFolder: end === "" || end === "." };
}

export function refuseGit(names: readonly string[]): void {
  if (names.some((name) => name.toLowerCase() === ".git")) throw new Refused("EACCES");
}

export function last(names: readonly string[]): string {
  return names.at(-1) as string;
}

export function isBelow(names: readonly string[], above: readonly string[]): boolean {
  return above.every((name, index) => names[index] === name);
}

/** The names on the way to each node, from this one down. */
export function namesIn(node: Node): readonly (readonly string[])[] {
  if (!(node instanceof Folder)) return [[]];
  return [
    [],
    ...[...node].flatMap(([name, child]) => namesIn(child).map((names) => [name, ...names])),
  ];
}

export function sizeOf(node: Node): { bytes: number; nodes: number; largest: number } {
  if (isLink(node)) return { bytes: 0, nodes: 1, largest: 0 };
  if (isFile(node)) return { bytes: node.content.length, nodes: 1, largest: node.content.length };
  const total = { bytes: 0, nodes: 1, largest: 0 };
  for (const child of node.values()) {
    const { bytes, nodes, largest } = sizeOf(child);
    total.bytes += bytes;
    total.nodes += nodes;
    total.largest = Math.max(total.largest, largest);
  }
  return total;
}

export function inOrder(paths: readonly string[]): readonly string[] {
  return [...paths].sort((a, b) =>
    Buffer.compare(Buffer.from(a.replace(/\/$/, "")), Buffer.from(b.replace(/\/$/, ""))),
  );
}
