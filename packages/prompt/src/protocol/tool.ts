import type { InputOf, JsonSchema, ModelSchema, OutputOf, Schema } from "../schema/schema.js";
import type { ToolContext } from "./tool-context.js";
import type { ToolFiles } from "./tool-files.js";
import type { ToolResult } from "./tool-result.js";

/**
 * What a call may do to the workspace: nothing, change files through
 * `context.filesystem`, or anything at all, such as start a process.
 */
export type ToolAccess = "read" | "write" | "opaque";

export interface ToolExample<Input = unknown, Value = unknown> {
  /** When one would call it like this. @default none */
  readonly description?: string | undefined;
  readonly input: Input;
  /** What it could answer with. Checked by `output`. @default none */
  readonly output?: Value | undefined;
}

/** Something a model can do. Made by `defineTool`; frozen. */
export interface Tool<Name extends string = string, Input = unknown, Value = unknown> {
  readonly name: Name;
  readonly description: string;
  readonly input: Schema<unknown, Input>;
  /** `input` as the model is shown it. */
  readonly inputSchema: JsonSchema;
  readonly output: Schema<unknown, Value> | undefined;
  readonly outputSchema: JsonSchema | undefined;
  readonly access: ToolAccess;
  readonly examples: readonly ToolExample[];
  readonly timeoutMs: number | undefined;
  readonly files: ToolFiles<Input, Value> | undefined;
  handler(input: Input, context: ToolContext): Promise<ToolResult<Value>> | ToolResult<Value>;
  /** The text a model reads in place of the value's JSON. */
  render?(value: Value): string;
}

/** What the handler's value must be: what `output` says, or else what the handler says. */
export type ValueOf<Output, Value> = [Output] extends [Schema] ? OutputOf<Output> : Value;

export interface ToolDefinition<
  Name extends string,
  Input extends ModelSchema,
  Output extends ModelSchema | undefined,
  Value,
> {
  /** Letters, digits, `_` and `-`, at most 64, from a letter; snake_case by convention. */
  readonly name: Name;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly input: Input;
  /** Checks the value of a success. @default not checked */
  readonly output?: Output;
  readonly access: ToolAccess;
  /** Shown to the model by `describeTool`, and checked against the schemas now. @default none */
  readonly examples?: readonly ToolExample<InputOf<Input>, NoInfer<ValueOf<Output, Value>>>[];
  /** How long a call may take. @default no limit of its own */
  readonly timeoutMs?: number;
  /**
   * Which files a call concerns, for policies such as `readBeforeWrite`. Stands below
   * `handler` when it looks at the value, whose type comes from there. @default not known
   */
  readonly files?: ToolFiles<OutputOf<Input>, NoInfer<ValueOf<Output, Value>>>;
  handler(
    input: OutputOf<Input>,
    context: ToolContext,
  ): Promise<ToolResult<ValueOf<Output, Value>>> | ToolResult<ValueOf<Output, Value>>;
  /** The text a model reads in place of the value's JSON. Stands below `handler`. @default the value as JSON */
  render?(value: NoInfer<ValueOf<Output, Value>>): string;
}
