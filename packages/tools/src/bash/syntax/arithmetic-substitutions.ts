import { commandFrom, firstPipeline, type Parse } from "./snippet.js";
import { nodesOf, type SyntaxNode, visitNodes } from "./syntax-node.js";

/**
 * just-bash runs a command inside arithmetic, such as `$(( $(wc -l < "$f") + 1 ))`, without its quotes and without the
 * variables of the script. So its output is put into a variable first. The same is done for `${array[$key]:-0}`, which
 * loses its value.
 */
export function takeOutSubstitutions(command: SyntaxNode, parse: Parse): SyntaxNode {
  if (command.type !== "SimpleCommand" && command.type !== "ArithmeticCommand") return command;
  const sources: string[] = [];
  visitNodes(command, (node) => {
    const text = node["originalText"];
    if (node.type !== "ArithmeticExpression" || typeof text !== "string") return;
    const changed = replaceSubstitutions(text, (source) => {
      sources.push(source);
      return nameOf(sources.length - 1);
    });
    if (changed !== text) Object.assign(node, commandFrom(parse, `(( ${changed} ))`)["expression"]);
  });
  if (sources.length === 0) return command;
  const group = commandFrom(parse, "{ true; }");
  const body = nodesOf(group["body"]);
  firstPipeline(body)["commands"] = [command];
  const assignments = sources.flatMap((source, index) =>
    nodesOf(commandFrom(parse, `{ ${nameOf(index)}="${source}" || true; }`)["body"]),
  );
  group["body"] = [...assignments, ...body];
  return group;
}

function nameOf(index: number): string {
  return `__wink_value_${index}`;
}

function replaceSubstitutions(text: string, replace: (source: string) => string): string {
  let changed = "";
  let at = 0;
  while (at < text.length) {
    const end = endOfSubstitution(text, at);
    if (end > at) changed += replace(text.slice(at, end));
    else changed += text[at];
    at = Math.max(end, at + 1);
  }
  return changed;
}

/** The index after the substitution that begins at an index, or that index if none does. */
function endOfSubstitution(text: string, start: number): number {
  if (text[start] === "`") return text.indexOf("`", start + 1) + 1 || start;
  if (text.startsWith("$(", start) && text[start + 2] !== "(")
    return endOfGroup(text, start + 2, "(", ")");
  if (!text.startsWith("${", start)) return start;
  const end = endOfGroup(text, start + 2, "{", "}");
  return text.slice(start, end).includes("[$") ? end : start;
}

/** The index after the bracket that closes a group. Brackets in quotes do not count. */
function endOfGroup(text: string, start: number, open: string, close: string): number {
  let depth = 1;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "\\") at += 1;
    else if (character === "'" || character === '"') {
      const end = text.indexOf(character, at + 1);
      if (end < 0) return start - 2;
      at = end;
    } else if (character === open) depth += 1;
    else if (character === close) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return start - 2;
}
