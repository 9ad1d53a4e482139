import type { Filesystem } from "@wink/filesystem";
import type { JsonSchema, Schema } from "../schema/schema.js";
import type { BoundPrompt } from "./bound-prompt.js";
import type { CompletionCheck } from "./completion.js";
import type { FeedbackProvider } from "./feedback.js";
import type { ToolPolicy } from "./policy.js";
import type { PromptDescriptor } from "./prompt-descriptor.js";
import type { Tool } from "./tool.js";

/** A tool as a prompt offers it: with its name in the prompt, its files and its policies. */
export interface RenderedTool<Input = unknown, Value = unknown> extends Tool<string, Input, Value> {
  /** The path of the section that has the tool. */
  readonly section: string;
  /** The path of the workspace section whose files the tool sees. Empty if the prompt has none. */
  readonly workspace: string;
  /** The filesystem of the tool. `undefined` if the prompt has no workspace. */
  readonly filesystem: Filesystem | undefined;
  /** The policies that its calls must pass, outermost first. */
  readonly policies: readonly ToolPolicy[];
}

/** The structured answer that the model must give at the end. */
export interface StructuredOutput<Output = unknown> {
  readonly schema: Schema<unknown, Output>;
  readonly jsonSchema: JsonSchema;
}

/** Where a section is in the text of a rendered prompt, without its subsections. */
export interface RenderedSection {
  readonly path: string;
  readonly title: string;
  /** The index of its first character. */
  readonly start: number;
  /** The index after its last character: the start of the next section. */
  readonly end: number;
  readonly visibility: "full" | "summary";
}

/** A prompt as it is sent to a model at one point in time. */
export interface RenderedPrompt<Output = unknown> {
  readonly prompt: BoundPrompt<Output>;
  readonly text: string;
  /** The sections in the order of the text. Together they cover it. */
  readonly sections: readonly RenderedSection[];
  readonly tools: readonly RenderedTool[];
  /** `undefined` if the template asks for no structured output. */
  readonly output: StructuredOutput<Output> | undefined;
  readonly feedback: readonly FeedbackProvider[];
  /** @default the run ends when the model says that it is done */
  readonly completion?: CompletionCheck | undefined;
  /** The filesystem of the first enabled workspace section. */
  readonly filesystem: Filesystem | undefined;
  /** What the prompt was made from, with hashes. */
  readonly descriptor: PromptDescriptor;
  /** The tool with this name, if the prompt offers it now. */
  tool(name: string): RenderedTool | undefined;
}
