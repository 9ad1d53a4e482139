import type { Filesystem } from "@wink/filesystem";
import type { BoundPrompt } from "../protocol/bound-prompt.js";
import type { FeedbackProvider } from "../protocol/feedback.js";
import type { ToolPolicy } from "../protocol/policy.js";
import type { PromptDescriptor } from "../protocol/prompt-descriptor.js";
import type {
  RenderedPrompt,
  RenderedTool,
  StructuredOutput,
} from "../protocol/rendered-prompt.js";
import type { Tool } from "../protocol/tool.js";
import { placeTools, type Rendering, textOf } from "../section/render-sections.js";
import type { SectionNode } from "../section/section-tree.js";
import { describePrompt } from "./describe-prompt.js";

interface Template<Output> {
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  readonly output: StructuredOutput<Output> | undefined;
  readonly policies: readonly ToolPolicy[];
  readonly feedback: readonly FeedbackProvider[];
}

/** A rendered prompt. The rarely used descriptor is computed on first use. */
export class RenderedOnce<Output> implements RenderedPrompt<Output> {
  readonly prompt: BoundPrompt<Output>;
  readonly text: string;
  readonly tools: readonly RenderedTool[];
  readonly filesystem: Filesystem | undefined;
  readonly #template: Template<Output>;
  readonly #shown: readonly SectionNode[];
  #descriptor: PromptDescriptor | undefined;

  constructor(
    prompt: BoundPrompt<Output>,
    template: Template<Output>,
    rendering: Rendering,
    disclosure: () => readonly Tool[],
  ) {
    this.prompt = prompt;
    this.text = textOf(rendering);
    this.filesystem = rendering.workspace?.filesystem;
    this.#template = template;
    this.#shown = rendering.shown;
    const tools = placeTools(rendering, template.policies);
    if (rendering.summarised.length > 0)
      for (const tool of disclosure())
        tools.push(
          Object.freeze({
            ...tool,
            section: "",
            workspace: rendering.workspace?.path ?? "",
            filesystem: this.filesystem,
            policies: template.policies,
          }),
        );
    this.tools = Object.freeze(tools);
    Object.freeze(this);
  }

  get output(): StructuredOutput<Output> | undefined {
    return this.#template.output;
  }

  get feedback(): readonly FeedbackProvider[] {
    return this.#template.feedback;
  }

  get descriptor(): PromptDescriptor {
    this.#descriptor ??= describePrompt(
      this.#template,
      this.#shown.map((node) => ({ ...node, children: [] })),
    );
    return this.#descriptor;
  }

  tool(name: string): RenderedTool | undefined {
    return this.tools.find((tool) => tool.name === name);
  }
}
