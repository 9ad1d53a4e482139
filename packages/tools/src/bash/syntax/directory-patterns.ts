import { commandFrom, firstPipeline, type Parse } from "./snippet.js";
import { isNode, literalOf, nodesOf, type SyntaxNode } from "./syntax-node.js";

/**
 * A pattern that ends in a slash matches only directories, and the names keep the slash. just-bash matches files too,
 * so the names are computed by a loop in front of the command.
 */
export function expandDirectoryPatterns(command: SyntaxNode, parse: Parse): SyntaxNode {
  const lists = listsOf(command);
  if (!lists.flat().some(endsInSlash)) return command;
  const group = commandFrom(parse, "{ true; }");
  const body = nodesOf(group["body"]);
  const statements: SyntaxNode[] = [];
  for (const list of lists)
    for (const [index, word] of list.entries()) {
      if (!endsInSlash(word)) continue;
      const name = `__wink_directories_${statements.length}`;
      statements.push(loopOver(word, name, parse));
      list[index] = nodesOf(commandFrom(parse, `: "\${${name}[@]}"`)["args"])[0] ?? word;
    }
  firstPipeline(body)["commands"] = [command];
  group["body"] = [...statements, ...body];
  return group;
}

/** The lists of words in which patterns are expanded. They are changed in place. */
function listsOf(command: SyntaxNode): unknown[][] {
  const words = command.type === "For" ? [command["words"]] : [command["args"]];
  const arrays = nodesOf(command["assignments"]).map((assignment) => assignment["array"]);
  return [...words, ...arrays].filter((list): list is unknown[] => Array.isArray(list));
}

function endsInSlash(word: unknown): boolean {
  if (!isNode(word)) return false;
  const parts = nodesOf(word["parts"]);
  if (!parts.some(({ type }) => type === "Glob")) return false;
  const last = parts.at(-1);
  return (
    last?.type === "Literal" && literalOf({ type: "Word", parts: [last] })?.endsWith("/") === true
  );
}

/** Puts the matching directories, or the pattern if there is none, into an array. */
function loopOver(pattern: unknown, name: string, parse: Parse): SyntaxNode {
  const group = commandFrom(
    parse,
    `{ ${name}=(); for __wink_name in x; do if [ -d "$__wink_name" ]; then ${name}+=("\${__wink_name%/}/"); elif [ ! -e "$__wink_name" ]; then ${name}+=("$__wink_name"); fi; done; }`,
  );
  const [, loop] = nodesOf(group["body"]);
  const [node] = nodesOf(firstPipeline([loop])["commands"]);
  if (node !== undefined) node["words"] = [pattern];
  const statement = nodesOf((parse("true") as { readonly statements: unknown }).statements)[0];
  if (statement === undefined) throw new TypeError("There is no statement.");
  firstPipeline([statement])["commands"] = [group];
  return statement;
}
