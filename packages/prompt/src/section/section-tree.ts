import { PromptError } from "../error/prompt-error.js";
import type { ToolPolicy } from "../protocol/policy.js";
import type { Tool } from "../protocol/tool.js";
import { TOOL_NAME } from "../tool/define-tool.js";
import type { AnySection } from "./section.js";
import type { SectionTemplate } from "./section-template.js";

/** A section at its position in the tree. */
export interface SectionNode {
  readonly section: AnySection;
  /** The keys from the root, such as `task/details`. */
  readonly path: string;
  readonly children: readonly SectionNode[];
  /** The policies of the section and of its parents, outermost first. */
  readonly policies: readonly ToolPolicy[];
  /** Its tools with the names that the model sees. */
  readonly tools: readonly Tool[];
  /** Replaces the section's text. */
  readonly override: SectionTemplate | undefined;
}

/** Names of the built-in tools of a prompt. */
export const OPEN_SECTIONS = "open_sections";
export const READ_SECTION = "read_section";

/** Builds the tree of sections and validates keys, tool names and policies. */
export function buildTree(
  sections: readonly unknown[],
  policies: readonly ToolPolicy[] = [],
): readonly SectionNode[] {
  const nodes = buildLevel(sections, "", []);
  checkToolNames(nodes);
  checkPolicyTools(policies, nodes, "the template");
  for (const node of walkTree(nodes))
    checkPolicyTools(node.section.policies, [node], `section '${node.path}'`);
  return nodes;
}

/** Yields every node before its children. */
export function* walkTree(nodes: readonly SectionNode[]): Generator<SectionNode> {
  for (const node of nodes) {
    yield node;
    yield* walkTree(node.children);
  }
}

/** Returns a tree of the same shape with changed nodes. */
export function mapTree(
  nodes: readonly SectionNode[],
  change: (node: SectionNode) => SectionNode,
): readonly SectionNode[] {
  return nodes.map((node) => {
    const children = mapTree(node.children, change);
    return Object.freeze({ ...change(node), children });
  });
}

/** The section's tools with the names that the model sees. */
export function toolsOf(section: AnySection): readonly Tool[] {
  const { toolPrefix, tools } = section;
  if (toolPrefix === "") return tools;
  return tools.map((tool) => Object.freeze({ ...tool, name: `${toolPrefix}${tool.name}` }));
}

function buildLevel(
  sections: readonly unknown[],
  prefix: string,
  inherited: readonly ToolPolicy[],
): readonly SectionNode[] {
  const taken = new Set<string>();
  return sections.map((candidate, index) => {
    const section = requireSection(candidate, `${prefix}[${index}]`);
    const path = `${prefix}${section.key}`;
    if (taken.has(section.key))
      throw new PromptError("key_taken", {
        subject: `section '${path}'`,
        reason: `two sibling sections have the key '${section.key}'`,
      });
    taken.add(section.key);
    const policies = [...inherited, ...section.policies];
    return Object.freeze({
      section,
      path,
      children: buildLevel(section.children, `${path}/`, policies),
      policies: Object.freeze(policies),
      tools: Object.freeze(toolsOf(section)),
      override: undefined,
    });
  });
}

/** Duck typing, because a section may come from another copy of this package. */
function requireSection(candidate: unknown, place: string): AnySection {
  if (
    typeof candidate === "object" &&
    candidate !== null &&
    "key" in candidate &&
    "children" in candidate &&
    "render" in candidate
  )
    // Checks only the members that are used first; the author of the section is responsible for the
    // others.
    return candidate as AnySection;
  throw new PromptError("template_invalid", {
    subject: `sections ${place}`,
    reason: "it is not a section",
  });
}

function checkToolNames(nodes: readonly SectionNode[]): void {
  const owners = new Map<string, string>();
  for (const { path, tools } of walkTree(nodes)) {
    for (const { name } of tools) {
      const subject = `tool '${name}' of section '${path}'`;
      if (!TOOL_NAME.test(name))
        throw new PromptError("tool_invalid", {
          subject,
          reason: "its name with the section's toolPrefix has more than 64 characters",
        });
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new PromptError("tool_name_taken", { subject, reason: clash(name, owner, path) });
      if (name === OPEN_SECTIONS || name === READ_SECTION)
        throw new PromptError("tool_name_taken", {
          subject,
          reason: `every prompt has a built-in '${name}'; give the section a toolPrefix`,
        });
      owners.set(name, path);
    }
  }
}

/** A policy with a misspelt tool name would silently never apply. */
function checkPolicyTools(
  policies: readonly ToolPolicy[],
  nodes: readonly SectionNode[],
  place: string,
): void {
  for (const { name, tools = [] } of policies) {
    if (tools.length === 0) continue;
    const known = [...walkTree(nodes)].flatMap((node) => node.tools.map((tool) => tool.name));
    const unknown = tools.filter((tool) => !known.includes(tool));
    if (unknown.length > 0)
      throw new PromptError("template_invalid", {
        subject: `policy '${name}' of ${place}`,
        reason: `it refers to ${unknown.join(", ")}, but the tools are: ${known.join(", ") || "none"}`,
      });
  }
}

function clash(name: string, owner: string, path: string): string {
  const places =
    owner === path
      ? `section '${path}' has two tools named '${name}'`
      : `sections '${owner}' and '${path}' both have a tool named '${name}'`;
  return `${places}; give one section a toolPrefix`;
}
