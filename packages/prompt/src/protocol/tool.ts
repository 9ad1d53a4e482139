import type { InputOf, JsonSchema, ModelSchema, OutputOf, Schema } from "../schema/schema.js";
import type { ToolContext } from "./tool-context.js";
import type { ToolFiles } from "./tool-files.js";
import type { ToolResult } from "./tool-result.js";

/**
 * What a call may change: `read` nothing, `session` only the session, `write` also files through
 * `context.filesystem`. `opaque` may do anything, such as start a process.
 */
export type ToolAccess = "read" | "session" | "write" | "opaque";

/**
 * Where a call may act: only on the files and the session of its run, or also outside, such as by sending a message.
 */
export type ToolEffects = "workspace" | "external";

export interface ToolExample<Input = unknown, Value = unknown> {
  /** When to call the tool like this. @default none */
  readonly description?: string | undefined;
  readonly input: Input;
  /** A possible result, validated by the `output` schema. @default none */
  readonly output?: Value | undefined;
}

/** A tool that a model can call. Created by `defineTool`; frozen. */
export interface Tool<Name extends string = string, Input = unknown, Value = unknown> {
  readonly name: Name;
  readonly description: string;
  readonly input: Schema<unknown, Input>;
  /** The JSON Schema of `input`, as sent to the model. */
  readonly inputSchema: JsonSchema;
  readonly output: Schema<unknown, Value> | undefined;
  readonly outputSchema: JsonSchema | undefined;
  readonly access: ToolAccess;
  readonly effects: ToolEffects;
  readonly examples: readonly ToolExample[];
  readonly timeoutMs: number | undefined;
  readonly files: ToolFiles<Input, Value> | undefined;
  handler(input: Input, context: ToolContext): Promise<ToolResult<Value>> | ToolResult<Value>;
  /** The text that the model reads instead of the value's JSON. */
  render?(value: Value): string;
}

/** The type of the handler's value: from `output` if there is one, otherwise from the handler. */
export type ValueOf<Output, Value> = [Output] extends [Schema] ? OutputOf<Output> : Value;

export interface ToolDefinition<
  Name extends string,
  Input extends ModelSchema,
  Output extends ModelSchema | undefined,
  Value,
> {
  /**
   * Starts with a letter; letters, digits, `_` and `-`; at most 64 characters. The convention is
   * snake_case.
   */
  readonly name: Name;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  readonly input: Input;
  /** Validates the value of a success. @default not checked */
  readonly output?: Output;
  readonly access: ToolAccess;
  /**
   * Where a call may act. If a process ends during a call with `workspace`, the run makes the call again. A call with
   * `external` is not made again, and the model reads that its outcome is unknown. A tool with `access: "opaque"` is
   * always `external`. @default "external"
   */
  readonly effects?: ToolEffects;
  /**
   * Shown to the model by `describeTool`. Validated against the schemas when the tool is defined.
   * @default none
   */
  readonly examples?: readonly ToolExample<InputOf<Input>, NoInfer<ValueOf<Output, Value>>>[];
  /** Maximum duration of a call. @default none */
  readonly timeoutMs?: number;
  /**
   * The files that a call reads or changes, for policies such as `readBeforeWrite`. If it uses the
   * value, write it below `handler`, because TypeScript infers the value's type there. @default not
   * known
   */
  readonly files?: ToolFiles<OutputOf<Input>, NoInfer<ValueOf<Output, Value>>>;
  handler(
    input: OutputOf<Input>,
    context: ToolContext,
  ): Promise<ToolResult<ValueOf<Output, Value>>> | ToolResult<ValueOf<Output, Value>>;
  /**
   * The text that the model reads instead of the value's JSON. Write it below `handler`. @default
   * the value as JSON
   */
  render?(value: NoInfer<ValueOf<Output, Value>>): string;
}
