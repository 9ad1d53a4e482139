import { requireObject } from "../error/check-options.js";
import { isPromptError, PromptError } from "../error/prompt-error.js";
import { sectionTemplate } from "../section/check-section.js";
import type { AnySection } from "../section/section.js";
import { mapTree, type SectionNode, walkTree } from "../section/section-tree.js";
import { hashText, hashTool } from "./describe-prompt.js";
import type { PromptTemplate } from "./prompt-template.js";

/** Overrides for the texts of one prompt, as plain data. */
export interface PromptOverrides {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly {
    readonly path: string;
    /** The hash of the text that the override was written for. */
    readonly hash: string;
    readonly text: string;
  }[];
  readonly tools: readonly {
    /** The tool's name as the model sees it. */
    readonly name: string;
    /** The hash of the tool that the override was written for. */
    readonly hash: string;
    readonly description: string;
  }[];
}

/**
 * The status of an override. `applied`: it is used. `stale`: it was written for another version of
 * the text. `unknown`: the section or tool does not exist. `refused`: the section does not accept
 * overrides. Only `applied` has an effect.
 */
export interface OverrideReport {
  readonly kind: "section" | "tool";
  /** The path of the section, or the name of the tool. */
  readonly target: string;
  readonly status: "applied" | "stale" | "unknown" | "refused";
}

export interface OverriddenTree {
  readonly nodes: readonly SectionNode[];
  readonly report: readonly OverrideReport[];
}

/** The part of a template that overrides concern. */
export type AnyTemplate = Pick<
  PromptTemplate<readonly AnySection[], unknown>,
  "ns" | "key" | "nodes"
>;

/** Applies the matching overrides. Throws `OVERRIDE_INVALID` if a matching one is not usable. */
export function applyOverrides(
  template: AnyTemplate,
  overrides: PromptOverrides | undefined,
): OverriddenTree {
  if (overrides === undefined) return { nodes: template.nodes, report: [] };
  requireObject("Prompt: overrides", overrides, "the overrides of a template");
  if (overrides.ns !== template.ns || overrides.key !== template.key)
    throw new PromptError(
      "OVERRIDE_INVALID",
      `prompt '${template.ns}/${template.key}'`,
      `the overrides are for '${overrides.ns}/${overrides.key}'`,
    );
  const report = reportOverrides(template, overrides);
  const isApplied = (kind: string, target: string) =>
    report.some((one) => one.kind === kind && one.target === target && one.status === "applied");
  const texts = new Map(overrides.sections.map(({ path, text }) => [path, text]));
  const descriptions = new Map(overrides.tools.map((tool) => [tool.name, tool.description]));
  const nodes = mapTree(template.nodes, (node) => ({
    ...node,
    override: isApplied("section", node.path)
      ? overrideText(node, texts.get(node.path) ?? "")
      : undefined,
    tools: node.tools.map((tool) =>
      isApplied("tool", tool.name)
        ? Object.freeze({ ...tool, description: descriptions.get(tool.name) ?? tool.description })
        : tool,
    ),
  }));
  return { nodes, report };
}

/** Reports the status of each override without applying any. */
export function reportOverrides(
  template: AnyTemplate,
  overrides: PromptOverrides,
): readonly OverrideReport[] {
  const nodes = [...walkTree(template.nodes)];
  const judge = (
    kind: OverrideReport["kind"],
    target: string,
    node: SectionNode | undefined,
    isCurrent: boolean | undefined,
  ): OverrideReport => {
    if (node === undefined) return { kind, target, status: "unknown" };
    if (!node.section.acceptsOverrides) return { kind, target, status: "refused" };
    return { kind, target, status: isCurrent ? "applied" : "stale" };
  };
  return [
    ...overrides.sections.map(({ path, hash }) => {
      const node = nodes.find((one) => one.path === path);
      return judge("section", path, node, node && hashText(node.section.source) === hash);
    }),
    ...overrides.tools.map(({ name, hash }) => {
      const node = nodes.find(({ tools }) => tools.some((tool) => tool.name === name));
      const tool = node?.tools.find((one) => one.name === name);
      return judge("tool", name, node, tool && hashTool(tool) === hash);
    }),
  ];
}

function overrideText({ section, path }: SectionNode, text: string) {
  try {
    return sectionTemplate(text, { key: path, params: section.params }, "override");
  } catch (error) {
    if (!isPromptError(error)) throw error;
    throw new PromptError("OVERRIDE_INVALID", error.subject, error.reason, error);
  }
}
