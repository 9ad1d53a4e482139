import type { ESTree } from "vite";
import { type ExportedName, identify } from "./list-exports.js";
import type { ModuleGraph, Origin } from "./module-graph.js";

/** A type that a public declaration uses and that no entry point exports. */
export interface Leak {
  readonly packageName: string;
  readonly name: string;
  /** The exported name that uses it. */
  readonly usedBy: string;
}

/** How a declaration names a type: `A`, `namespace.A` or `import("specifier").A`. */
interface TypeUse {
  readonly name: string;
  readonly namespace?: string;
  readonly specifier?: string;
}

/** Types of ours in public signatures that a user cannot import. Reads declaration files. */
export function findLeaks(graph: ModuleGraph, names: readonly ExportedName[]): readonly Leak[] {
  const exported = new Set(names.map(({ origin }) => identify(origin)));
  const leaks = new Map<string, Leak>();
  for (const { entryPoint, name, origin } of names) {
    // Only our own packages import these subpaths.
    if (!isOurs(origin) || entryPoint.specifier.endsWith("/internal")) continue;
    for (const use of usesOf(graph, origin)) {
      const target = resolve(graph, origin.file, use);
      if (target === undefined || !isOurs(target) || exported.has(identify(target))) continue;
      const { packageName } = entryPoint;
      leaks.set(`${packageName} ${target.name}`, { packageName, name: target.name, usedBy: name });
    }
  }
  return [...leaks.values()];
}

function isOurs({ file }: Origin): boolean {
  return file.endsWith(".d.ts");
}

function resolve(graph: ModuleGraph, file: string, use: TypeUse): Origin | undefined {
  const { name, namespace, specifier } = use;
  if (specifier !== undefined) return graph.imported(file, specifier, name);
  if (namespace !== undefined) return graph.memberOf(file, namespace, name);
  const { declarations, imports } = graph.module(file);
  // A name that a module neither declares nor imports is a global, such as Promise.
  return declarations.has(name) || imports.has(name) ? graph.originOf(file, name) : undefined;
}

function usesOf(graph: ModuleGraph, { file, name }: Origin): readonly TypeUse[] {
  const uses: TypeUse[] = [];
  const parameters = new Set<string>();
  for (const node of graph.module(file).declarations.get(name) ?? [])
    walk(onlyOwn(node, name), (each) => {
      if (each.type === "TSTypeParameter") parameters.add(each.name.name);
      const use = useOf(each);
      if (use !== undefined) uses.push(use);
    });
  return uses.filter((use) => use.namespace !== undefined || !parameters.has(use.name));
}

/** `declare const a: A, b: B` declares two names; only one of them is meant. */
function onlyOwn(node: ESTree.Node, name: string): ESTree.Node {
  if (node.type !== "VariableDeclaration") return node;
  return node.declarations.find(({ id }) => id.type === "Identifier" && id.name === name) ?? node;
}

function useOf(node: ESTree.Node): TypeUse | undefined {
  switch (node.type) {
    case "TSTypeReference":
      return entityUse(node.typeName);
    case "TSInterfaceHeritage":
    case "TSClassImplements":
      return entityUse(node.expression);
    case "ClassDeclaration":
      return node.superClass === null ? undefined : entityUse(node.superClass);
    case "TSImportType": {
      const { qualifier } = node;
      if (qualifier?.type !== "Identifier") return undefined;
      return { name: qualifier.name, specifier: node.source.value };
    }
    default:
      return undefined;
  }
}

function entityUse(entity: ESTree.Node): TypeUse | undefined {
  if (entity.type === "Identifier") return { name: entity.name };
  if (entity.type === "TSQualifiedName" && entity.left.type === "Identifier")
    return { name: entity.right.name, namespace: entity.left.name };
  return undefined;
}

/** Calls `visit` for a node and everything below it. */
function walk(node: ESTree.Node, visit: (node: ESTree.Node) => void): void {
  visit(node);
  for (const value of Object.values(node) as readonly unknown[])
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) walk(child, visit);
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === "object" && value !== null && "type" in value;
}
