import { MarkdownSection, type Tool } from "@wink/prompt";
import type { Session } from "@wink/session";
import { VirtualFileSystem } from "../files/virtual-file-system.js";
import { evaluatePythonTool } from "./evaluate-python.js";
import { MontyEngine } from "./monty-engine.js";
import { DEFAULT_PYTHON_LIMITS, type PythonEngine, type PythonLimits } from "./python-engine.js";

export interface PythonSectionOptions<Key extends string = "python"> {
  /** Receives the events of written files. @default the session that the prompt runs with */
  readonly session?: Session | undefined;
  /** @default `DEFAULT_PYTHON_LIMITS` */
  readonly limits?: Partial<PythonLimits> | undefined;
  /** Runs the programs. The section closes it. @default a `MontyEngine` */
  readonly engine?: PythonEngine | undefined;
  /** The key of the workspace section that owns the files, for events. It is the first one of the prompt. @default "vfs" */
  readonly workspace?: string | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** @default "python" */
  readonly key?: Key | undefined;
  /** @default "Python" */
  readonly title?: string | undefined;
}

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/** Lets a model run Python programs that can access only the files of the workspace. */
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
      // Without `key`, `Key` is its default "python".
      key: options.key ?? ("python" as Key),
      title,
      template: textFor(`${toolPrefix}evaluate_python`),
      toolPrefix,
      // The list mixes tools with different input and value types.
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
    `Compute with \`${tool}\` instead of in your head: sums, counts, sorting, transforming text and data.`,
    "Each call starts without state. To keep data, pass it as globals to the next call or write it to a file. If a program fails, its file changes are rolled back.",
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
