import { isEnabled, type RenderInput } from "../section/render-sections.js";
import { type SectionNode, toolsOf } from "../section/section-tree.js";

/** The node for a subagent. */
export function cloneNode(node: SectionNode): SectionNode {
  const section = node.section.clone();
  if (section === node.section) return node;
  // An overridden description also applies to the clone; the clone's tools may otherwise differ.
  const tools = toolsOf(section).map((tool, index) => {
    const description = node.tools[index]?.description ?? tool.description;
    return Object.freeze({ ...tool, description });
  });
  return { ...node, section, tools };
}

/** Finds the node at `path` if it and all its parents are enabled. */
export function findEnabled(
  nodes: readonly SectionNode[],
  path: string,
  input: RenderInput,
): SectionNode | undefined {
  const node = nodes.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (node === undefined || !isEnabled(node, input)) return undefined;
  return node.path === path ? node : findEnabled(node.children, path, input);
}
