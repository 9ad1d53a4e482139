import { nodesOf, type SyntaxNode } from "./syntax-node.js";

export type Parse = (script: string) => unknown;

/** The first command of a script. Every call makes new nodes, because the caller changes them. */
export function commandFrom(parse: Parse, script: string): SyntaxNode {
  const [command] = nodesOf(firstPipeline(parse(script))["commands"]);
  if (command === undefined) throw new TypeError(`There is no command in '${script}'.`);
  return command;
}

/** The first pipeline of a list of statements, or of a script. */
export function firstPipeline(statements: unknown): SyntaxNode {
  const list = Array.isArray(statements)
    ? statements
    : (statements as { readonly statements: unknown }).statements;
  const [pipeline] = nodesOf(nodesOf(list)[0]?.["pipelines"]);
  if (pipeline === undefined) throw new TypeError("There is no statement.");
  return pipeline;
}
