/** What a prompt is made from. Equal descriptors mean equal texts. */
export interface PromptDescriptor {
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  readonly sections: readonly {
    readonly path: string;
    /** Hash of the text with its placeholders, or of the override if there is one. */
    readonly hash: string;
  }[];
  readonly tools: readonly {
    readonly name: string;
    /** The path of the section that has the tool. */
    readonly section: string;
    /** Hash of the description and the input schema. */
    readonly hash: string;
  }[];
  /** Hash of all fields above. */
  readonly hash: string;
}
