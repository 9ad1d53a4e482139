import type { Command, IFileSystem } from "just-bash";
import {
  type CommandContext,
  type Execute,
  failWith,
  pathOf,
  succeed,
} from "../commands/command.js";
import { commandFrom, firstPipeline, type Parse } from "./snippet.js";
import { commandName, isNode, nodesOf, type SyntaxNode, visitNodes } from "./syntax-node.js";

const PREPARE = "__wink_prepare_source";
const RUN = "__wink_run_file";

/** Calls `PREPARE` before `source file`, and lets `RUN` run `./file`. */
export function repairScriptFiles(command: SyntaxNode, parse: Parse): SyntaxNode {
  if (command.type !== "SimpleCommand") return command;
  if (sourcesFile(command)) {
    const group = commandFrom(parse, `{ ${PREPARE} file; true; }`);
    const [prepare, source] = nodesOf(group["body"]);
    for (const node of nodesOf(firstPipeline([prepare])["commands"]))
      node["args"] = nodesOf(command["args"]).slice(0, 1);
    firstPipeline([source])["commands"] = [command];
    return group;
  }
  if (!isNode(command["name"]) || !isPath(command["name"])) return command;
  command["args"] = [command["name"], ...nodesOf(command["args"])];
  command["name"] = commandFrom(parse, RUN)["name"];
  return command;
}

export function sourcesFile(node: SyntaxNode): boolean {
  return /^(?:source|\.)$/.test(commandName(node) ?? "") && nodesOf(node["args"]).length > 0;
}

/** Whether a word contains a slash. The commands of just-bash itself are in `/bin` and `/usr/bin`. */
function isPath(word: SyntaxNode): boolean {
  let text = "";
  visitNodes(word["parts"], ({ type, value }) => {
    if (type === "Literal" || type === "SingleQuoted") text += value;
  });
  return text.includes("/") && !/^\/(?:usr\/)?bin\//.test(text);
}

/** just-bash parses the files of `source file` and `./file` itself, so repairs of the syntax are added here. */
export class ScriptFiles {
  readonly #repair: (script: string, file: string) => string;
  readonly #asShell: (execute: Execute) => Execute;
  #prepared: { readonly path: string; readonly script: string } | undefined;

  /**
   * @param repair repairs a script that the current shell reads from a file
   * @param asShell changes a command so that it runs its script in a new shell
   */
  constructor(
    repair: (script: string, file: string) => string,
    asShell: (execute: Execute) => Execute,
  ) {
    this.#repair = repair;
    this.#asShell = asShell;
  }

  readonly commands: readonly Command[] = [
    {
      name: PREPARE,
      execute: async ([file = ""], context) => {
        const path = pathOf(context, file);
        this.#prepared = undefined;
        try {
          const script = this.#repair(await context.fs.readFile(path), file);
          this.#prepared = { path, script };
        } catch {
          // The command that follows reports a missing file and wrong syntax.
        }
        return succeed();
      },
    },
    {
      name: RUN,
      execute: async (args, context) => {
        const refused = await refuse(args[0] ?? "", context);
        return refused ?? (await this.#asShell(runFile)(args, context));
      },
    },
  ];

  /** Gives the prepared script to the command that reads it next. */
  install(fs: IFileSystem): void {
    const read = fs.readFile.bind(fs);
    fs.readFile = async (path, options) => {
      const prepared = this.#prepared;
      if (prepared?.path !== path) return await read(path, options);
      this.#prepared = undefined;
      return prepared.script;
    };
  }
}

const runFile: Execute = async (args, context) => {
  const [file = "", ...values] = args;
  const { cwd, exportedEnv, execWithInheritedStdin: run } = context;
  const script = await context.fs.readFile(pathOf(context, file));
  const list = values.join(" ");
  const parameters = { 0: file, "#": String(values.length), "@": list, "*": list };
  const positional = Object.fromEntries(values.map((value, index) => [index + 1, value]));
  const env = { ...exportedEnv, ...parameters, ...positional };
  return (await run?.(script, { cwd, env })) ?? succeed();
};

async function refuse(file: string, context: CommandContext) {
  const stat = await context.fs.stat(pathOf(context, file)).catch(() => undefined);
  if (stat === undefined) return failWith(`bash: ${file}: No such file or directory`, 127);
  if (stat.isDirectory) return failWith(`bash: ${file}: Is a directory`, 126);
  return (stat.mode & 0o111) === 0 ? failWith(`bash: ${file}: Permission denied`, 126) : undefined;
}
