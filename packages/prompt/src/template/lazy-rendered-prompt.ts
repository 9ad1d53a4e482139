import type { Filesystem } from "@wink/filesystem";
import type { BoundPrompt } from "../protocol/bound-prompt.js";
import type { CompletionCheck } from "../protocol/completion.js";
import type { FeedbackProvider } from "../protocol/feedback.js";
import type { ToolPolicy } from "../protocol/policy.js";
import type { PromptDescriptor } from "../protocol/prompt-descriptor.js";
import type {
  RenderedPrompt,
  RenderedSection,
  RenderedTool,
  StructuredOutput,
} from "../protocol/rendered-prompt.js";
import type { Tool } from "../protocol/tool.js";
import { placeSections, placeTools, type Rendering, textOf } from "../section/render-sections.js";
import { describePrompt } from "./describe-prompt.js";

interface Template<Output> {
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  readonly output: StructuredOutput<Output> | undefined;
  readonly policies: readonly ToolPolicy[];
  readonly feedback: readonly FeedbackProvider[];
  readonly completion: CompletionCheck | undefined;
}

/** A rendered prompt. The rarely used descriptor and sections are computed on first use. */
export class RenderedOnce<Output> implements RenderedPrompt<Output> {
  readonly prompt: BoundPrompt<Output>;
  readonly text: string;
  readonly tools: readonly RenderedTool[];
  readonly filesystem: Filesystem | undefined;
  readonly #template: Template<Output>;
  readonly #rendering: Rendering;
  #descriptor: PromptDescriptor | undefined;
  #sections: readonly RenderedSection[] | undefined;

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
    this.#rendering = rendering;
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

  get completion(): CompletionCheck | undefined {
    return this.#template.completion;
  }

  get descriptor(): PromptDescriptor {
    this.#descriptor ??= describePrompt(
      this.#template,
      this.#rendering.shown
        .filter(({ isAdded }) => !isAdded)
        .map((node) => ({ ...node, children: [] })),
    );
    return this.#descriptor;
  }

  get sections(): readonly RenderedSection[] {
    this.#sections ??= Object.freeze(placeSections(this.#rendering));
    return this.#sections;
  }

  tool(name: string): RenderedTool | undefined {
    return this.tools.find((tool) => tool.name === name);
  }
}
