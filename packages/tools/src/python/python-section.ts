import { MarkdownSection, type Tool } from "@wink/prompt";
import type { Session } from "@wink/session";
import { VirtualFileSystem } from "../files/virtual-file-system.js";
import { evaluatePythonTool } from "./evaluate-python.js";
import { MontyEngine } from "./monty-engine.js";
import { DEFAULT_PYTHON_LIMITS, type PythonEngine, type PythonLimits } from "./python-engine.js";

export interface PythonSectionOptions<Key extends string = "python"> {
  /** Gets the events of what programs write. @default the session that the prompt is run with */
  readonly session?: Session | undefined;
  /** @default `DEFAULT_PYTHON_LIMITS` */
  readonly limits?: Partial<PythonLimits> | undefined;
  /** What runs the programs. It is closed with the section. @default a `MontyEngine` */
  readonly engine?: PythonEngine | undefined;
  /** What events call the files: the key of the prompt's first workspace section, which owns them. @default "vfs" */
  readonly workspace?: string | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** @default "python" */
  readonly key?: Key | undefined;
  /** @default "Python" */
  readonly title?: string | undefined;
}

// NoInfer: in a list of sections the key is the one given or the default, not whatever the list would allow.
/** Lets a model compute, in a Python that reaches nothing but the files of the workspace. */
export class PythonSection<const Key extends string = "python"> extends MarkdownSection<
  NoInfer<Key>
> {
  readonly engine: PythonEngine;

  constructor(options: PythonSectionOptions<Key> = {}) {
    const {
      engine = new MontyEngine(),
      workspace = "vfs",
      toolPrefix = "",
      title = "Python",
    } = options;
    const limits = resolveLimits(options.limits);
    const tool = evaluatePythonTool({ engine, limits, workspace });
    super({
      // Without a key its type is the default of the parameter.
      key: options.key ?? ("python" as Key),
      title,
      template: textFor(`${toolPrefix}evaluate_python`),
      toolPrefix,
      // A section holds tools of every input and value in one list.
      tools: [tool as unknown as Tool],
      slices: [VirtualFileSystem],
    });
    this.engine = engine;
    options.session?.install(VirtualFileSystem);
  }

  override async close(): Promise<void> {
    await this.engine.close();
  }
}

function textFor(tool: string): string {
  return [
    `Compute with \`${tool}\` rather than in your head: sums, counts, sorting, reshaping of text and data.`,
    "Each call begins anew; what should last goes into globals that you pass on, or into a file. A program that fails leaves no file changed.",
  ].join("\n");
}

function resolveLimits(limits: Partial<PythonLimits> = {}): PythonLimits {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  const resolved: PythonLimits = { ...DEFAULT_PYTHON_LIMITS, ...Object.fromEntries(given) };
  for (const [name, value] of Object.entries(resolved))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a whole number above 0, not ${String(value)}.`);
  return Object.freeze(resolved);
}
