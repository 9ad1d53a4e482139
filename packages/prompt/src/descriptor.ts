import { canonicalJson } from "./canonical-json.js";
import type { SectionNode } from "./section-tree.js";
import { walkTree } from "./section-tree.js";
import { sha256 } from "./sha-256.js";
import type { Tool } from "./tool.js";

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

export function describePrompt(
  names: Pick<PromptDescriptor, "ns" | "key" | "name">,
  nodes: readonly SectionNode[],
): PromptDescriptor {
  const { ns, key, name } = names;
  const all = [...walkTree(nodes)];
  const sections = all.map(({ path, section, override }) =>
    Object.freeze({ path, hash: hashText(override?.source ?? section.source) }),
  );
  const tools = all.flatMap(({ path, tools }) =>
    tools.map((tool) => Object.freeze({ name: tool.name, section: path, hash: hashTool(tool) })),
  );
  const content = { ns, key, name, sections, tools };
  return Object.freeze({
    ...content,
    sections: Object.freeze(sections),
    tools: Object.freeze(tools),
    hash: sha256(canonicalJson(content)),
  });
}

export function hashText(source: string): string {
  return sha256(source);
}

export function hashTool({ description, inputSchema }: Tool): string {
  return sha256(canonicalJson({ description, inputSchema }));
}
