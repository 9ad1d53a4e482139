import { takeOutSubstitutions } from "./arithmetic-substitutions.js";
import { expandDirectoryPatterns } from "./directory-patterns.js";
import { repairExpansions } from "./expansions.js";
import { repairScriptFiles, sourcesFile } from "./script-files.js";
import { commandFrom, firstPipeline, type Parse } from "./snippet.js";
import {
  commandName,
  contains,
  isNode,
  literalOf,
  nodesOf,
  type SyntaxNode,
  visitNodes,
} from "./syntax-node.js";

/** The command that saves the variables of a script right before it exits. */
export const SAVE_VARIABLES = "__wink_save_variables";

/**
 * Changes the syntax tree of a script where just-bash 3.4 runs it differently from bash:
 *
 * - `((i<=n))` needs spaces around operators that end in `=`
 * - commands inside arithmetic need the variables and functions of the script
 * - `dir*` followed by a slash also matches files
 * - a function left of `||` or `&&` ends a script with `set -e`
 * - a command substitution inherits `set -e`
 * - `local list=($(ls))` loses the substitution
 * - `IFS=, list=($(ls))` assigns the list first
 * - the target of `( cd dir; … ) > file` is relative to the new directory
 * - `BASH_SOURCE` is empty outside functions
 * - `source file` and `./file` run without these changes, and the latter in the same shell
 * - `trap … EXIT` needs the variables at the end
 *
 * @param settings what the script has from a script around it
 * @returns the settings for scripts inside it
 */
export function repairSyntax(
  script: unknown,
  parse: Parse,
  settings: ShellSettings = { stopsAtErrors: false, hasTrap: false },
): ShellSettings {
  visitNodes(script, (node) => {
    if (node.type === "Statement") splitDeclaration(node, parse);
  });
  const stopsAtErrors = settings.stopsAtErrors || contains(script, isErrexit);
  const hasTrap = settings.hasTrap || contains(script, (node) => commandName(node) === "trap");
  const knowsAllFunctions = !contains(script, sourcesFile);
  const functions = new Set<unknown>();
  visitNodes(script, (node) => {
    if (node.type === "FunctionDef") functions.add(node["name"]);
  });
  visitNodes(script, (node) => {
    if (node.type === "ArithmeticCommand") repairArithmetic(node, parse);
    if (node.type === "Subshell" || node.type === "Group") repairTargets(node);
    if (node.type === "Pipeline") {
      node["commands"] = nodesOf(node["commands"]).map((command) => {
        const exits = hasTrap && commandName(command) === "exit";
        if (exits) return savingVariables(command, parse);
        const change = (each: SyntaxNode) =>
          repairScriptFiles(
            takeOutSubstitutions(expandDirectoryPatterns(each, parse), parse),
            parse,
          );
        const changed = inOrder(splitAssignments(command).map(change), parse);
        return isPlainAssignment(command) ? succeeding(changed, parse) : changed;
      });
    }
    if (node.type === "CommandSubstitution" && stopsAtErrors) continueAfterErrors(node, parse);
    if (node.type === "Statement" && stopsAtErrors)
      protectConditions(node, parse, (name) => !knowsAllFunctions || functions.has(name));
    repairExpansions(node, parse);
    if (
      node.type === "ParameterExpansion" &&
      /^BASH_SOURCE(?:\[0\])?$/.test(`${node["parameter"]}`)
    )
      node["parameter"] = settings.sourceVariable ?? "0";
  });
  return { stopsAtErrors, hasTrap };
}

export interface ShellSettings {
  /** Whether `set -e` is used. */
  readonly stopsAtErrors: boolean;
  /** Whether `trap` is used. */
  readonly hasTrap: boolean;
  /** The variable with the name of the file that is sourced. @default `0`, for a script in a new shell */
  readonly sourceVariable?: string;
}

function isErrexit(node: SyntaxNode): boolean {
  if (commandName(node) !== "set") return false;
  return nodesOf(node["args"]).some((word) => /^-\w*e|^errexit$/.test(literalOf(word) ?? ""));
}

/** The parser splits `<=` and puts a space into it, unless a space follows. */
function repairArithmetic(node: SyntaxNode, parse: Parse): void {
  const { expression } = node;
  const text = isNode(expression) ? expression["originalText"] : undefined;
  if (typeof text !== "string" || !SPLIT_OPERATOR.test(text)) return;
  const joined = text.replaceAll(SPLIT_OPERATOR, "$1= ");
  node["expression"] = commandFrom(parse, `(( ${joined} ))`)["expression"];
}

const SPLIT_OPERATOR = /(<<|>>|[<>!*/%+\-&|^=])\s+=\s*/g;

/** Makes a relative target of a redirection absolute, if a command inside changes the directory. */
function repairTargets(node: SyntaxNode): void {
  if (!contains(node["body"], (inside) => /^(?:cd|pushd|popd)$/.test(commandName(inside) ?? "")))
    return;
  for (const { target } of nodesOf(node["redirections"])) {
    if (!isNode(target)) continue;
    const parts = nodesOf(target["parts"]);
    const [first] = parts;
    if (first?.type !== "Literal" || !/^[^/~\d&-]/.test(String(first["value"]))) continue;
    const directory = { type: "ParameterExpansion", parameter: "PWD", operation: null };
    const slash = { type: "Literal", value: "/" };
    target["parts"] = [{ type: "DoubleQuoted", parts: [directory, slash] }, ...parts];
  }
}

/** Commands left of an operator must not end a script with `set -e`. just-bash knows this rule only for `if`. */
function protectConditions(
  { pipelines, operators }: SyntaxNode,
  parse: Parse,
  isFunction: (name: string | undefined) => boolean,
): void {
  for (const [index, pipeline] of nodesOf(pipelines).entries()) {
    const operator = (operators as readonly string[])[index];
    if (operator !== "&&" && operator !== "||" && pipeline["negated"] !== true) continue;
    const commands = nodesOf(pipeline["commands"]);
    const [command] = commands;
    if (commands.length !== 1 || command === undefined) continue;
    if (command.type !== "SimpleCommand" || isFunction(commandName(command)))
      pipeline["commands"] = [asCondition(command, parse)];
  }
}

/** Runs a command as a condition, with its exit code or another one. */
function asCondition(command: SyntaxNode, parse: Parse, end = "(exit $?) && true"): SyntaxNode {
  const node = commandFrom(parse, `if true; then true; else ${end}; fi`);
  const [clause] = node["clauses"] as readonly { readonly condition: unknown }[];
  firstPipeline(clause?.condition)["commands"] = [command];
  return node;
}

/** In bash an assignment without a substitution succeeds. In just-bash it has the exit code of the last command. */
function isPlainAssignment(node: SyntaxNode): boolean {
  if (node.type !== "SimpleCommand" || isNode(node["name"])) return false;
  if (nodesOf(node["assignments"]).length === 0 || nodesOf(node["redirections"]).length > 0)
    return false;
  return !contains(node["assignments"], ({ type }) => /Subst/.test(type));
}

/** Makes one command of each assignment, if one of them is a list. */
function splitAssignments(command: SyntaxNode): SyntaxNode[] {
  const assignments = nodesOf(command["assignments"]);
  const hasList = assignments.some(({ array }) => Array.isArray(array));
  if (command.type !== "SimpleCommand" || isNode(command["name"]) || !hasList) return [command];
  return assignments.map((assignment) => ({ ...command, assignments: [assignment] }));
}

function inOrder(commands: readonly SyntaxNode[], parse: Parse): SyntaxNode {
  const [first] = commands;
  if (commands.length === 1 && first !== undefined) return first;
  const group = commandFrom(parse, `{ ${"true; ".repeat(commands.length)} }`);
  for (const [index, statement] of nodesOf(group["body"]).entries())
    firstPipeline([statement])["commands"] = [commands[index]];
  return group;
}

function succeeding(command: SyntaxNode, parse: Parse): SyntaxNode {
  return asCondition(command, parse, "true");
}

/** A command substitution does not inherit `set -e`. */
function continueAfterErrors({ body }: SyntaxNode, parse: Parse): void {
  // `$(< file)` is not a command.
  if (
    !isNode(body) ||
    !contains(body, (node) => node.type === "SimpleCommand" && isNode(node["name"]))
  )
    return;
  const subshell = commandFrom(parse, "( set +e )");
  subshell["body"] = [...nodesOf(subshell["body"]), ...nodesOf(body["statements"])];
  const script = parse("true; exit $?") as { readonly statements: unknown };
  firstPipeline(script)["commands"] = [asCondition(subshell, parse)];
  body["statements"] = script.statements;
}

/** The parser loses the substitutions of `local -a list=("$@" $(ls))`, so the declaration and the value become two commands. */
function splitDeclaration(statement: SyntaxNode, parse: Parse): void {
  const { sourceText } = statement;
  if (typeof sourceText !== "string") return;
  const [, declaration, name, value] = DECLARATION.exec(sourceText.trim()) ?? [];
  if (declaration === undefined) return;
  const [group] = nodesOf(
    (parse(`{ ${declaration} ${name}; ${name}=${value}\n}`) as { readonly statements: unknown })
      .statements,
  );
  Object.assign(statement, { ...group, sourceText });
}

/** A declaration of one array, which is not read-only. */
const DECLARATION = /^((?:local|declare|typeset)(?:\s+-[a-qs-zA-Z]+)*)\s+([A-Za-z_]\w*)=(\(.*\))$/s;

function savingVariables(exit: SyntaxNode, parse: Parse): SyntaxNode {
  const node = commandFrom(parse, "{ true; true; }");
  const [save, leave] = nodesOf(node["body"]);
  firstPipeline([save])["commands"] = [asCondition(commandFrom(parse, SAVE_VARIABLES), parse)];
  firstPipeline([leave])["commands"] = [exit];
  return node;
}
