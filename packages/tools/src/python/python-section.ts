import { MarkdownSection } from "@wink/prompt";
import type { Session } from "@wink/session";
import { checkOptions, type OptionKinds, resolveLimits } from "../error/check-options.js";
import { nameSection, TOOL_NAMING, type ToolSectionNaming } from "../error/section-naming.js";
import { VirtualFileSystem } from "../files/virtual-file-system.js";
import { evaluatePythonTool } from "./evaluate-python.js";
import { MontyEngine } from "./monty-engine.js";
import { DEFAULT_PYTHON_LIMITS, type PythonEngine, type PythonLimits } from "./python-engine.js";

export interface PythonSectionOptions<Key extends string = "python">
  extends ToolSectionNaming<Key> {
  /** Receives the events of written files. Closing it closes the section too. @default the session that the prompt runs with */
  readonly session?: Session | undefined;
  /** @default the defaults of `PythonLimits` */
  readonly limits?: Partial<PythonLimits> | undefined;
  /** Runs the programs. The section closes it. @default Monty, in its own process */
  readonly engine?: PythonEngine | undefined;
}

const KINDS: OptionKinds<PythonSectionOptions> = {
  session: "session",
  limits: "object",
  engine: "engine",
  ...TOOL_NAMING,
};

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/** Lets a model run Python programs that can access only the files of the workspace. */
export class PythonSection<const Key extends string = "python"> extends MarkdownSection<
  NoInfer<Key>
> {
  readonly engine: PythonEngine;

  constructor(options: PythonSectionOptions<Key> = {}) {
    checkOptions("PythonSection", options, KINDS);
    const { engine = new MontyEngine(), toolPrefix = "" } = options;
    const limits = resolveLimits("limits", options.limits, DEFAULT_PYTHON_LIMITS);
    const tool = evaluatePythonTool({
      ...{ engine, limits },
      nameTool: (name) => toolPrefix + name,
    });
    super({
      ...nameSection(options, "python", "Python"),
      template: textFor(`${toolPrefix}evaluate_python`),
      tools: [tool],
      slices: [VirtualFileSystem],
    });
    this.engine = engine;
    options.session?.install(VirtualFileSystem);
    options.session?.onClose(() => this.close());
  }

  override async close(): Promise<void> {
    await this.engine.close();
  }
}

function textFor(tool: string): string {
  return [
    `Compute with \`${tool}\` instead of in your head: sums, counts, sorting, transforming text and data.`,
    "Each call starts without state. To keep data, pass it as globals to the next call or write it to a file. If a program fails, its file changes are rolled back.",
  ].join("\n");
}
