import { describeWrong, suggestName } from "../error/check-options.js";
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
  /** Whether it is not part of the template, so that it does not count for the hash. @default false */
  readonly isAdded?: true | undefined;
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
  policies: readonly ToolPolicy[],
  subject: string,
): readonly SectionNode[] {
  const nodes = buildLevel(sections, subject, "", []);
  checkToolNames(nodes);
  checkPolicyTools(policies, nodes, subject);
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
  owner: string,
  prefix: string,
  inherited: readonly ToolPolicy[],
): readonly SectionNode[] {
  const taken = new Set<string>();
  return sections.map((candidate, index) => {
    const section = requireSection(candidate, owner, index);
    const path = `${prefix}${section.key}`;
    const subject = `section '${path}'`;
    if (taken.has(section.key))
      throw new PromptError("KEY_TAKEN", subject, "two sibling sections have this key. Rename one");
    taken.add(section.key);
    const policies = [...inherited, ...section.policies];
    return Object.freeze({
      section,
      path,
      children: buildLevel(section.children, subject, `${path}/`, policies),
      policies: Object.freeze(policies),
      tools: Object.freeze(toolsOf(section)),
      override: undefined,
    });
  });
}

/** Duck typing, because a section may come from another copy of this package. */
function requireSection(candidate: unknown, owner: string, index: number): AnySection {
  const isSection =
    typeof candidate === "object" &&
    candidate !== null &&
    ["key", "children", "render"].every((name) => name in candidate);
  // Checks only the members that are used first; the author of the section is responsible for the
  // others.
  if (isSection) return candidate as AnySection;
  const list = owner.startsWith("section") ? "children" : "sections";
  const reason = `${list}[${index}] must be a section, got ${describeWrong(candidate)}`;
  throw new PromptError("TEMPLATE_INVALID", owner, reason);
}

function checkToolNames(nodes: readonly SectionNode[]): void {
  const owners = new Map<string, string>();
  for (const { path, tools } of walkTree(nodes)) {
    for (const { name } of tools) {
      const subject = `tool '${name}'`;
      if (!TOOL_NAME.test(name))
        throw new PromptError(
          "TOOL_INVALID",
          subject,
          `its name with the toolPrefix of section '${path}' has more than 64 characters`,
        );
      const clash = clashOf(name, owners.get(name), path);
      if (clash !== undefined) throw new PromptError("TOOL_NAME_TAKEN", subject, clash);
      owners.set(name, path);
    }
  }
}

function clashOf(name: string, owner: string | undefined, path: string): string | undefined {
  if (name === OPEN_SECTIONS || name === READ_SECTION)
    return `every prompt has a built-in tool of this name. Give section '${path}' a toolPrefix`;
  if (owner === undefined) return undefined;
  if (owner === path) return `section '${path}' has two tools of this name. Rename one`;
  return `sections '${owner}' and '${path}' both have a tool of this name. Give one section a toolPrefix`;
}

/** A policy with a misspelt tool name would silently never apply. */
function checkPolicyTools(
  policies: readonly ToolPolicy[],
  nodes: readonly SectionNode[],
  owner: string,
): void {
  for (const { name, tools = [] } of policies) {
    if (tools.length === 0) continue;
    const known = [...walkTree(nodes)].flatMap((node) => node.tools.map((tool) => tool.name));
    for (const tool of tools)
      if (!known.includes(tool))
        throw new PromptError(
          "TEMPLATE_INVALID",
          owner,
          `policy '${name}' names the unknown tool '${tool}'. ${suggestName(tool, known, "Tools")}`,
        );
  }
}
