/** A node of just-bash's syntax tree, whose types it exports only in part. */
export interface SyntaxNode {
  readonly type: string;
  [member: string]: unknown;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value;
}

export function nodesOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Calls `visit` for each node, those inside a node first. */
export function visitNodes(value: unknown, visit: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const each of value) visitNodes(each, visit);
  else if (typeof value === "object" && value !== null) {
    for (const each of Object.values(value)) visitNodes(each, visit);
    if (isNode(value)) visit(value);
  }
}

/** The text of a word that consists of one literal. */
export function literalOf(word: unknown): string | undefined {
  if (!isNode(word)) return undefined;
  const [part, ...more] = nodesOf(word["parts"]);
  if (part?.type !== "Literal" || more.length > 0) return undefined;
  return typeof part["value"] === "string" ? part["value"] : undefined;
}

/** The name of a simple command. */
export function commandName(node: unknown): string | undefined {
  return isNode(node) && node.type === "SimpleCommand" ? literalOf(node["name"]) : undefined;
}

export function contains(value: unknown, matches: (node: SyntaxNode) => boolean): boolean {
  let found = false;
  visitNodes(value, (node) => {
    found ||= matches(node);
  });
  return found;
}
