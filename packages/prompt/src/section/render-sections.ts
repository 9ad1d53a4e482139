import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import { describeWrong } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import type { ToolPolicy } from "../protocol/policy.js";
import type { RenderedSection, RenderedTool } from "../protocol/rendered-prompt.js";
import type { Tool } from "../protocol/tool.js";
import type { BoundValues, Values } from "./bind-params.js";
import type { Visibility } from "./section.js";
import { OPEN_SECTIONS, READ_SECTION, type SectionNode } from "./section-tree.js";
import { isWorkspaceSection } from "./workspace-section.js";

/** What rendering needs besides the sections. */
export interface RenderInput {
  readonly values: BoundValues;
  readonly session: Session;
  /** Paths of the sections that the model has opened. */
  readonly opened: ReadonlySet<string>;
}

/** A filesystem and the path of its section. */
export interface Workspace {
  readonly path: string;
  readonly filesystem: Filesystem;
  /** Policies of its section that guard the files, whichever section has the tool. */
  readonly policies: readonly ToolPolicy[];
}

/** What rendering collects. */
export interface Rendering {
  /** Headings and texts in order. */
  readonly parts: string[];
  /** In order. Tools outside every workspace get the first workspace of the prompt. */
  readonly tools: { readonly node: SectionNode; readonly workspace: Workspace | undefined }[];
  readonly shown: SectionNode[];
  /** Where each section of `shown` starts in `parts`, and how it is shown. */
  readonly places: { readonly firstPart: number; readonly visibility: Visibility }[];
  /** Sections shown as a summary, in order. */
  readonly summarised: SectionNode[];
  /** The first workspace, even if its section is shown as a summary. */
  workspace: Workspace | undefined;
}

const NONE: Values = Object.freeze({});

/** Renders all enabled sections with numbers, and collects their tools. */
export function renderSections(nodes: readonly SectionNode[], input: RenderInput): Rendering {
  const rendering: Rendering = {
    parts: [],
    tools: [],
    shown: [],
    places: [],
    summarised: [],
    workspace: undefined,
  };
  renderLevel(nodes, input, rendering, { depth: 1, number: "", workspace: undefined, all: false });
  return rendering;
}

/** Renders one section with its children in full, even if it is not open. */
export function renderOne(node: SectionNode, input: RenderInput): string {
  const rendering = renderSections([], input);
  const place = { depth: 1, number: "", workspace: undefined, all: true };
  renderNode(node, "", input, rendering, place);
  return textOf(rendering);
}

export function textOf({ parts }: Rendering): string {
  return parts.join(BETWEEN);
}

const BETWEEN = "\n\n";

/** Where each section is in the text. A section ends where the next one starts. */
export function placeSections({ parts, shown, places }: Rendering): readonly RenderedSection[] {
  const starts: number[] = [];
  let length = 0;
  for (const part of parts) {
    starts.push(length);
    length += part.length + BETWEEN.length;
  }
  const startOf = (index: number) => starts[places[index]?.firstPart ?? parts.length];
  return shown.map(({ path, section }, index) => {
    const start = startOf(index) ?? 0;
    const end = startOf(index + 1) ?? length - BETWEEN.length;
    const visibility = places[index]?.visibility ?? "full";
    return Object.freeze({ path, title: section.title, start, end, visibility });
  });
}

interface Place {
  readonly depth: number;
  readonly number: string;
  readonly workspace: Workspace | undefined;
  /** Whether to ignore summaries. */
  readonly all: boolean;
}

function renderLevel(
  nodes: readonly SectionNode[],
  input: RenderInput,
  rendering: Rendering,
  place: Place,
): void {
  let count = 0;
  for (const node of nodes) {
    if (!isEnabled(node, input)) continue;
    count++;
    const number = place.number === "" ? `${count}` : `${place.number}.${count}`;
    renderNode(node, number, input, rendering, place);
  }
}

function renderNode(
  node: SectionNode,
  number: string,
  input: RenderInput,
  rendering: Rendering,
  place: Place,
): void {
  const { section, path } = node;
  const workspace = workspaceOf(node) ?? place.workspace;
  rendering.workspace ??= workspace;
  rendering.shown.push(node);
  const heading = `${HASHES[Math.min(place.depth, HASHES.length - 1)]} ${label(number)}${section.title}`;
  const params = input.values.get(path) ?? NONE;
  const summary = place.all ? undefined : summaryOf(node, input);
  const body = summary ?? bodyOf(node, params, input.session);
  const visibility = summary === undefined ? "full" : "summary";
  rendering.places.push({ firstPart: rendering.parts.length, visibility });
  rendering.parts.push(heading);
  if (body !== "") rendering.parts.push(body);
  if (summary !== undefined) {
    rendering.summarised.push(node);
    rendering.workspace ??= findWorkspace(node.children, input);
    return;
  }
  if (node.tools.length > 0) rendering.tools.push({ node, workspace });
  if (node.children.length > 0)
    renderLevel(node.children, input, rendering, {
      depth: place.depth + 1,
      number,
      workspace,
      all: place.all,
    });
}

/** Level one is for the title of the document, so sections start at level two. */
const HASHES = ["#", "##", "###", "####", "#####", "######"] as const;

/** Formats `1. ` for the top level and `1.1 ` below it. */
function label(number: string): string {
  if (number === "") return "";
  return number.includes(".") ? `${number} ` : `${number}. `;
}

function bodyOf({ section, override, path }: SectionNode, params: Values, session: Session) {
  if (override !== undefined) return override.fill(params);
  const body: unknown = section.render(params, session);
  if (typeof body === "string") return body;
  throw new PromptError(
    "PREDICATE_FAILED",
    `section '${path}'`,
    `render must return a string, got ${describeWrong(body)}`,
  );
}

/** The summary of a section that is not open, with the tools that open it. */
function summaryOf(node: SectionNode, input: RenderInput): string | undefined {
  const { section, path } = node;
  if (section.visibility === "full" || section.summary === undefined) return undefined;
  if (input.opened.has(path)) return undefined;
  if (visibilityOf(node, input) === "full") return undefined;
  const summary = section.summary.fill(input.values.get(path) ?? NONE);
  return `${summary}\n\n(In summary. \`${OPEN_SECTIONS}\` with "${path}" opens it, \`${READ_SECTION}\` shows it once.)`;
}

function visibilityOf(node: SectionNode, input: RenderInput): Visibility {
  const answer = resolve<Visibility>(node, "visibility", input);
  if (answer === "full" || answer === "summary") return answer;
  throw failed(node, "visibility", `must return 'full' or 'summary', got ${describeWrong(answer)}`);
}

export function isEnabled(node: SectionNode, input: RenderInput): boolean {
  if (node.section.enabled === true) return true;
  const answer = resolve<boolean>(node, "enabled", input);
  if (typeof answer === "boolean") return answer;
  throw failed(node, "enabled", `must return true or false, got ${describeWrong(answer)}`);
}

function resolve<Value>(
  node: SectionNode,
  name: "enabled" | "visibility",
  { values, session }: RenderInput,
): Value {
  const setting: unknown = node.section[name];
  // The caller validates the value.
  if (typeof setting !== "function") return setting as Value;
  const params = values.get(node.path);
  if (params === undefined) throw new PromptError("NOT_BOUND", `section '${node.path}'`);
  try {
    return setting(params, session);
  } catch (cause) {
    throw failed(node, name, "threw an error", cause);
  }
}

function failed(node: SectionNode, name: string, reason: string, cause?: unknown): PromptError {
  return new PromptError("PREDICATE_FAILED", `section '${node.path}'`, `${name} ${reason}`, cause);
}

/** Finds the first workspace of the enabled sections, depth-first. */
export function findWorkspace(
  nodes: readonly SectionNode[],
  input: RenderInput,
): Workspace | undefined {
  for (const node of nodes) {
    if (!isEnabled(node, input)) continue;
    const found = workspaceOf(node) ?? findWorkspace(node.children, input);
    if (found !== undefined) return found;
  }
  return undefined;
}

function workspaceOf({ section, path, policies }: SectionNode): Workspace | undefined {
  if (!isWorkspaceSection(section)) return undefined;
  const guards = policies.filter(({ guardsFiles }) => guardsFiles === true);
  return { path, filesystem: section.filesystem, policies: guards };
}

/** Adds to each tool its section, filesystem and policies. */
export function placeTools(
  rendering: Rendering,
  shared: readonly RenderedTool["policies"][number][],
): RenderedTool[] {
  return rendering.tools.flatMap(({ node, workspace = rendering.workspace }) =>
    node.tools.map((tool) =>
      Object.freeze({
        ...tool,
        section: node.path,
        workspace: workspace?.path ?? "",
        filesystem: workspace?.filesystem,
        policies: policiesFor(tool, [...shared, ...node.policies], workspace),
      }),
    ),
  );
}

/** A tool that declares its files also has the policies that guard its workspace. */
function policiesFor(
  tool: Tool,
  own: readonly ToolPolicy[],
  workspace: Workspace | undefined,
): readonly ToolPolicy[] {
  if (tool.files === undefined || workspace === undefined) return Object.freeze(own);
  const missing = workspace.policies.filter((policy) => !own.includes(policy));
  return Object.freeze([...own, ...missing]);
}
