import type { Bash, Command, ExecOptions, ExecResult, ScriptNode } from "just-bash";
import type { Execute } from "../commands/command.js";
import { repairSyntax, SAVE_VARIABLES, type ShellSettings } from "./repair-syntax.js";
import { ScriptFiles } from "./script-files.js";
import type { Parse } from "./snippet.js";
import { commandName, type SyntaxNode, visitNodes } from "./syntax-node.js";

type JustBash = Pick<typeof import("just-bash"), "parse" | "serialize">;
type Run = (script: string, options: ExecOptions & { readonly cwd: string }) => Promise<ExecResult>;

const NOTHING = { stdout: "", stderr: "", exitCode: 0 };

/** Adds `trap … EXIT`, which just-bash does not have, and the repairs of the syntax. */
export class ExitTrap {
  readonly #functions = new Map<unknown, SyntaxNode>();
  readonly #parse: Parse;
  #handler = "";
  #variables: Readonly<Record<string, string>> = {};
  #settings: ShellSettings = { stopsAtErrors: false, hasTrap: false };
  #sources = 0;
  readonly files: ScriptFiles;

  constructor({ parse, serialize }: JustBash) {
    this.#parse = parse;
    this.files = new ScriptFiles(
      (text, file) => {
        const ast = parse(text);
        const name = `__wink_file_${this.#sources++}`;
        this.#repair(ast, { ...this.#settings, sourceVariable: name });
        this.#addFunctions(ast);
        return `${name}='${file.replaceAll("'", "'\\''")}'\n${serialize(ast)}`;
      },
      (execute) => this.withOwnHandler(execute),
    );
  }

  readonly commands: readonly Command[] = [
    {
      name: "trap",
      execute: async (args) => {
        const [handler = "", ...signals] = args.filter((each) => each !== "--");
        if (handler === "-p" || signals.length === 0) return this.#print();
        if (signals.some((signal) => /^(?:EXIT|0)$/.test(signal)))
          this.#handler = handler === "-" ? "" : handler;
        const other = signals.find((signal) => /^(?:ERR|DEBUG|RETURN)$/.test(signal));
        const stderr = other === undefined ? "" : `bash: trap: ${other}: is ignored here\n`;
        return { ...NOTHING, stderr };
      },
    },
    {
      name: SAVE_VARIABLES,
      execute: async (_, { env }) => {
        this.#variables = Object.fromEntries(env);
        return { ...NOTHING, exitCode: Number(env.get("?") ?? 0) };
      },
    },
  ];

  /** Adds the repairs to every script that the shell parses. */
  install(shell: Bash): void {
    shell.registerTransformPlugin({
      name: "wink",
      transform: ({ ast }) => {
        this.#repair(ast);
        this.#shareFunctions(ast);
        return { ast };
      },
    });
  }

  /** Gives the script of a command its own handler. */
  withOwnHandler(execute: Execute): Execute {
    return async (args, context) => {
      const outer = this.#handler;
      this.#handler = "";
      try {
        const result = await execute(args, context);
        const run = context.exec;
        return run === undefined ? result : await this.finish(run, result, { cwd: context.cwd });
      } finally {
        this.#handler = outer;
      }
    };
  }

  #repair(ast: ScriptNode, settings?: ShellSettings): void {
    const found = repairSyntax(ast, this.#parse, settings);
    this.#settings = {
      stopsAtErrors: this.#settings.stopsAtErrors || found.stopsAtErrors,
      hasTrap: this.#settings.hasTrap || found.hasTrap,
    };
  }

  /** Runs the handler at the end of a script. */
  async finish(
    run: Run,
    result: ExecResult,
    options: ExecOptions & { readonly cwd: string },
  ): Promise<ExecResult> {
    const handler = this.#handler;
    if (handler === "") return result;
    this.#handler = "";
    // The result of a script that ended with `exit` has no variables.
    const env = result.env !== undefined && "?" in result.env ? result.env : this.#variables;
    const { exitCode } = result;
    const after = await run(`(exit ${exitCode})\n${handler}\nexit ${exitCode}`, {
      ...options,
      ...(env["PWD"] !== undefined && { cwd: env["PWD"] }),
      env: withoutSpecial(env),
      replaceEnv: true,
    });
    return {
      ...after,
      stdout: result.stdout + after.stdout,
      stderr: result.stderr + after.stderr,
    };
  }

  /**
   * just-bash runs handlers and `bash -c` as separate scripts, which do not know the functions
   * of the script around them.
   */
  #shareFunctions(ast: ScriptNode): void {
    const own = new Set<unknown>();
    visitNodes(ast, (node) => {
      if (node.type === "FunctionDef") own.add(node["name"]);
    });
    const missing = new Map<unknown, SyntaxNode>();
    const addCalled = (node: unknown) =>
      visitNodes(node, (inside) => {
        const name = commandName(inside);
        const definition = this.#functions.get(name);
        if (definition === undefined || own.has(name) || missing.has(name)) return;
        missing.set(name, definition);
        addCalled(definition);
      });
    addCalled(ast);
    const [first] = ast.statements;
    const [pipeline] = first?.pipelines ?? [];
    this.#addFunctions(ast);
    if (first === undefined || pipeline === undefined) return;
    const definitions = [...missing.values()].map((definition) => ({
      ...{ ...first, operators: [], background: false },
      // A definition is a command of the syntax tree.
      pipelines: [{ ...pipeline, negated: false, commands: [definition as never] }],
    }));
    ast.statements.unshift(...definitions);
  }

  #addFunctions(ast: ScriptNode): void {
    visitNodes(ast, (node) => {
      if (node.type === "FunctionDef") this.#functions.set(node["name"], node);
    });
  }

  #print() {
    const stdout =
      this.#handler === "" ? "" : `trap -- '${this.#handler.replaceAll("'", "'\\''")}' EXIT\n`;
    return { ...NOTHING, stdout };
  }
}

function withoutSpecial(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^[A-Za-z_]\w*$/.test(name)));
}
