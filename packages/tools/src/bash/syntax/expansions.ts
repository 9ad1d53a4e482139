import { commandFrom, type Parse } from "./snippet.js";
import {
  contains,
  isNode,
  literalOf,
  nodesOf,
  type SyntaxNode,
  visitNodes,
} from "./syntax-node.js";

/**
 * Changes expansions that just-bash 3.4 runs differently from bash:
 *
 * - `"${1:-}"` is an error with `set -u`
 * - `"${list[*]}"` ignores `IFS` in an assignment, a here-string and `case`
 * - `for x; do` splits the parameters into words
 * - `"$@"`, `"${command[@]}"` and `$command` as the name of a command are not split into words
 */
export function repairExpansions(node: SyntaxNode, parse: Parse): void {
  if (node.type === "DoubleQuoted") avoidUnboundError(node);
  if (node.type === "SimpleCommand") splitName(node, parse);
  if (node.type === "Assignment") joinLists(node["value"], parse);
  if (node.type === "Redirection" && node["operator"] === "<<<") joinLists(node["target"], parse);
  if (node.type === "Case") joinLists(node["word"], parse);
  if (node.type === "For" && node["words"] === null)
    node["words"] = commandFrom(parse, 'true "$@"')["args"];
}

/** Adds an empty second part to the word, because just-bash uses the default only in words of several parts. */
function avoidUnboundError(node: SyntaxNode): void {
  const parts = nodesOf(node["parts"]);
  const [first] = parts;
  if (parts.length !== 1 || first?.type !== "ParameterExpansion") return;
  const isDefault = isNode(first["operation"]) && DEFAULTS.has(first["operation"].type);
  const hasList = contains(first, (each) => /^[@*]$|\[[@*]\]$/.test(String(each["parameter"])));
  if (isDefault && !hasList) node["parts"] = [first, { type: "Literal", value: "" }];
}

const DEFAULTS = new Set(["DefaultValue", "AssignDefault", "UseAlternative"]);

/** Replaces the list by the output of `printf`, because just-bash joins arguments with `IFS`. */
function joinLists(word: unknown, parse: Parse): void {
  visitNodes(word, (node) => {
    if (node.type !== "DoubleQuoted") return;
    node["parts"] = nodesOf(node["parts"]).map((part) => {
      const isList = /^\w+\[\*\]$/.test(String(part["parameter"])) && part["operation"] === null;
      if (!isList) return part;
      const [word] = nodesOf(
        commandFrom(parse, `true $(printf %s "\${${part["parameter"]}}")`)["args"],
      );
      return nodesOf(word?.["parts"])[0];
    });
  });
}

/**
 * Gives the command an empty name. just-bash then splits the first argument into words, and the first word is the name.
 */
function splitName(node: SyntaxNode, parse: Parse): void {
  const { name } = node;
  if (!isNode(name) || literalOf(name) !== undefined) return;
  if (!contains(name, ({ type }) => type === "ParameterExpansion" || /Subst/.test(type))) return;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a parameter of the shell.
  node["name"] = commandFrom(parse, "${__wink_none-} true")["name"];
  node["args"] = [name, ...nodesOf(node["args"])];
}
