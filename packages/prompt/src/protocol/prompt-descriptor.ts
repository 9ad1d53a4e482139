export interface SectionDescriptor {
  readonly path: string;
  /** Of the text as it is written, placeholders and all; of the override when there is one. */
  readonly hash: string;
}

export interface ToolDescriptor {
  readonly name: string;
  /** The path of the section that brings it. */
  readonly section: string;
  /** Of its description and its input's schema. */
  readonly hash: string;
}

/** What a prompt is made from: equal descriptors are made from equal texts. */
export interface PromptDescriptor {
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  readonly sections: readonly SectionDescriptor[];
  readonly tools: readonly ToolDescriptor[];
  /** Of all that. */
  readonly hash: string;
}
