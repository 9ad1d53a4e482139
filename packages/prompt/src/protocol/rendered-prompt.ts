import type { Filesystem } from "@wink/filesystem";
import type { JsonSchema, Schema } from "../schema/schema.js";
import type { BoundPrompt } from "./bound-prompt.js";
import type { FeedbackProvider } from "./feedback.js";
import type { ToolPolicy } from "./policy.js";
import type { PromptDescriptor } from "./prompt-descriptor.js";
import type { Tool } from "./tool.js";

/** A tool as one prompt offers it: under its name there, with what belongs to its place. */
export interface RenderedTool<Input = unknown, Value = unknown> extends Tool<string, Input, Value> {
  /** The path of the section that brought it. */
  readonly section: string;
  /** The path of the workspace section whose files it sees; empty when the prompt has none. */
  readonly workspace: string;
  /** The files it sees; `undefined` when the prompt has no workspace. */
  readonly filesystem: Filesystem | undefined;
  /** What its calls must pass, outermost first. */
  readonly policies: readonly ToolPolicy[];
}

/** What the model must answer with at the end. */
export interface StructuredOutput<Output = unknown> {
  readonly schema: Schema<unknown, Output>;
  readonly jsonSchema: JsonSchema;
}

/** A prompt at one moment, as a model is given it. */
export interface RenderedPrompt<Output = unknown> {
  readonly prompt: BoundPrompt<Output>;
  readonly text: string;
  readonly tools: readonly RenderedTool[];
  /** `undefined` when the template asks for no structured output. */
  readonly output: StructuredOutput<Output> | undefined;
  readonly feedback: readonly FeedbackProvider[];
  /** The filesystem of the first enabled workspace section. */
  readonly filesystem: Filesystem | undefined;
  /** What it was made from, with hashes. */
  readonly descriptor: PromptDescriptor;
  /** The tool of that name, if it is offered now. */
  tool(name: string): RenderedTool | undefined;
}
