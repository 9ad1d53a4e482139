import { checkOptions, describeWrong } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import type { CompletionCheck } from "../protocol/completion.js";
import type { FeedbackProvider } from "../protocol/feedback.js";
import type { ToolPolicy } from "../protocol/policy.js";
import type { PromptDescriptor } from "../protocol/prompt-descriptor.js";
import type { StructuredOutput } from "../protocol/rendered-prompt.js";
import type { Resource } from "../resource/resource.js";
import type { ModelSchema } from "../schema/schema.js";
import { modelOutputSchema } from "../schema/to-json-schema.js";
import { itemProblem } from "../section/item-problem.js";
import type { AnySection } from "../section/section.js";
import { buildTree, type SectionNode, walkTree } from "../section/section-tree.js";
import { describePrompt } from "./describe-prompt.js";

export interface PromptTemplateOptions<Sections extends readonly AnySection[], Output> {
  /** The namespace: letters, digits, `.`, `_` and `-`, separated by `/`. */
  readonly ns: string;
  /** Unique in its namespace: letters, digits, `.`, `_` and `-`. */
  readonly key: string;
  /** For people. @default the key */
  readonly name?: string;
  readonly sections: Sections;
  /** The schema of the final answer. @default any text */
  readonly output?: ModelSchema<unknown, Output>;
  /** Policies for the calls of all tools. @default none */
  readonly policies?: readonly ToolPolicy[];
  /** Feedback for the model during the run. @default none */
  readonly feedback?: readonly FeedbackProvider[];
  /**
   * Runs when the model says that it is done. Missing work goes back to the model. @default the model decides
   */
  readonly completion?: CompletionCheck;
  /** Resources that handlers can use with `resourcesOf(context)`. @default none */
  readonly resources?: readonly Resource[];
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;
const OPTIONS = [
  "ns",
  "key",
  "name",
  "sections",
  "output",
  "policies",
  "feedback",
  "resources",
  "completion",
];

/** Whether a prompt can have these names, which are also names of files. */
export function isPromptName(ns: unknown, key: unknown): boolean {
  return [...String(ns).split("/"), String(key)].every((part) => NAME.test(part));
}

/**
 * An agent as one document, before its parameters are known.
 *
 * The constructor validates keys, tool names and schemas. A template is frozen and can be shared.
 */
export class PromptTemplate<
  const Sections extends readonly AnySection[] = readonly AnySection[],
  Output = undefined,
> {
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  readonly sections: Sections;
  readonly output: StructuredOutput<Output> | undefined;
  readonly policies: readonly ToolPolicy[];
  readonly feedback: readonly FeedbackProvider[];
  readonly resources: readonly Resource[];
  readonly completion: CompletionCheck | undefined;
  /** The tree of sections. */
  readonly nodes: readonly SectionNode[];
  #descriptor: PromptDescriptor | undefined;

  constructor(options: PromptTemplateOptions<Sections, Output>) {
    checkOptions("PromptTemplate", options, OPTIONS, "TEMPLATE_INVALID");
    const { ns, key, name = key, sections, output } = options;
    const subject = `template '${ns}/${key}'`;
    const refuse = (reason: string) => new PromptError("TEMPLATE_INVALID", subject, reason);
    if (typeof ns !== "string" || !ns.split("/").every((part) => NAME.test(part)))
      throw refuse("ns has names of letters, digits, . _ and -, with / between them");
    if (typeof key !== "string" || !NAME.test(key))
      throw refuse("key has 1 to 64 letters, digits, . _ and -");
    if (!Array.isArray(sections))
      throw refuse(`sections must be an array, got ${describeWrong(sections)}`);
    this.ns = ns;
    this.key = key;
    this.name = name;
    this.sections = sections;
    if (options.resources !== undefined && !Array.isArray(options.resources))
      throw refuse(`resources must be an array, got ${describeWrong(options.resources)}`);
    this.output = output && {
      schema: output,
      jsonSchema: modelOutputSchema(output, subject),
    };
    this.policies = Object.freeze([...(options.policies ?? [])]);
    const problem = itemProblem("policies", this.policies);
    if (problem !== undefined) throw new PromptError("TEMPLATE_INVALID", subject, problem);
    this.feedback = Object.freeze([...(options.feedback ?? [])]);
    this.resources = Object.freeze([...(options.resources ?? [])]);
    if (options.completion !== undefined && typeof options.completion?.check !== "function")
      throw refuse("completion must be an object with the function check");
    const { maxAttempts = 0 } = options.completion ?? {};
    if (!Number.isInteger(maxAttempts) || maxAttempts < 0)
      throw refuse("completion: maxAttempts must be a whole number from 0");
    this.completion = options.completion;
    this.nodes = buildTree(sections, this.policies, subject);
    Object.freeze(this);
  }

  /** The section at a path such as `a/b`. */
  section(path: string): AnySection | undefined {
    for (const node of walkTree(this.nodes)) if (node.path === path) return node.section;
    return undefined;
  }

  /** Hashes of every section and tool, computed on first use. */
  get descriptor(): PromptDescriptor {
    this.#descriptor ??= describePrompt(this, this.nodes);
    return this.#descriptor;
  }
}
