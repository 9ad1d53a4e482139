import type { PromptDescriptor } from "../protocol/prompt-descriptor.js";
import type { Tool } from "../protocol/tool.js";
import { canonicalJson } from "../schema/canonical-json.js";
import { sha256 } from "../schema/sha-256.js";
import type { SectionNode } from "../section/section-tree.js";
import { walkTree } from "../section/section-tree.js";

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
