import type { RenderedPrompt, RenderedTool } from "@wink/prompt";
import type { SystemText } from "./context-state.js";
import type { ModelMessage } from "./model-client.js";

/**
 * The system text for the next request. It stays as it was until a section is opened, closed, enabled or disabled,
 * because providers cache a request by its beginning.
 */
export function stableText(
  before: SystemText | undefined,
  { text, sections }: RenderedPrompt,
): SystemText {
  const isSame =
    before !== undefined &&
    before.sections.length === sections.length &&
    sections.every(({ path, visibility }, at) => {
      const known = before.sections[at];
      return known?.path === path && known.visibility === visibility;
    });
  return isSame ? before : { text, sections };
}

/** The sections that differ from the system text, as the last message of the request. */
export function changedSections(
  system: SystemText,
  { text, sections }: RenderedPrompt,
): (ModelMessage & { readonly role: "user" }) | undefined {
  if (system.text === text) return undefined;
  const before = new Map(
    system.sections.map(({ path, start, end }) => [path, system.text.slice(start, end).trim()]),
  );
  const changed = sections.flatMap(({ path, start, end }) => {
    const now = text.slice(start, end).trim();
    return before.get(path) === now ? [] : [now];
  });
  if (changed.length === 0) return undefined;
  const title = "These sections of your instructions have changed. This is how they are now:";
  return { role: "user", text: [title, ...changed].join("\n\n"), trailing: true };
}

/** The prompt with another text or with further tools. */
export function withParts<Output>(
  rendered: RenderedPrompt<Output>,
  parts: { readonly system?: SystemText; readonly tools?: readonly RenderedTool[] },
): RenderedPrompt<Output> {
  const { prompt, filesystem, output, feedback, descriptor, completion } = rendered;
  const { text, sections } = parts.system ?? rendered;
  const added = (parts.tools ?? []).filter(({ name }) => rendered.tool(name) === undefined);
  return Object.freeze({
    ...{ prompt, text, filesystem, output, feedback, descriptor, sections, completion },
    tools: Object.freeze([...rendered.tools, ...added]),
    tool: (name: string) => rendered.tool(name) ?? added.find((tool) => tool.name === name),
  });
}
