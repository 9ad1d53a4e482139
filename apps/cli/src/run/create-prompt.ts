import type { Agent, AgentWorkspace } from "@wink/adapters";
import { describeKind } from "@wink/filesystem/internal";
import type { AnySection, BoundPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import { AgentsFileSection, SkillsSection } from "@wink/tools";
import { CliError } from "../terminal/cli-error.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { oneLine, safeText } from "../terminal/terminal-text.js";

export interface PromptParts {
  readonly file: string;
  readonly agent: Agent<unknown>;
  readonly params: unknown;
  readonly sections: readonly AgentWorkspace[];
  readonly session: Session;
}

interface Options {
  /** Whether the AGENTS.md files and the skills of the directory are added. @default true */
  readonly agentsFile?: boolean;
  readonly signal: AbortSignal;
}

/** Every prompt that `PromptTemplate` makes has these members. */
type OpenPrompt = BoundPrompt & {
  readonly template: { section(path: string): AnySection | undefined };
  with(...sections: readonly AnySection[]): BoundPrompt;
};

/** Creates the prompt of an agent, with the rules and the skills of the directory. */
export async function createPrompt(
  io: Io,
  { file, agent, params, sections, session }: PromptParts,
  { agentsFile = true, signal }: Options,
): Promise<BoundPrompt> {
  const [workspace] = sections;
  if (workspace === undefined) throw new TypeError("The section has not been created yet.");
  const prompt: unknown = await agent.prompt({ session, workspace, params });
  if (!isBoundPrompt(prompt))
    throw new CliError(
      `${file}: prompt() returned ${describeKind(prompt)}. Return a bound Prompt.`,
    );
  if (!agentsFile || !isOpen(prompt)) return prompt;
  const added = await directorySections(io, { session, workspace, signal });
  const uses = ({ key }: AnySection) =>
    prompt.template.section(key) !== undefined ||
    prompt.render({ session }).sections.some(({ path }) => path.endsWith(`/${key}`));
  const missing = added.filter((section) => !uses(section));
  return missing.length === 0 ? prompt : prompt.with(...missing);
}

/** The sections of the directory that have something to show. */
async function directorySections(
  io: Io,
  {
    session,
    workspace,
    signal,
  }: { session: Session; workspace: AgentWorkspace; signal: AbortSignal },
): Promise<readonly AnySection[]> {
  const { filesystem } = workspace;
  const { dim, yellow } = stderrColorsFor(io);
  const refuse = (path: string, reason: string) =>
    remark(io, `${yellow("!")} ${safeText(path)}: ${safeText(reason)}. It was not loaded.`);
  const rules = await AgentsFileSection.create({ session, filesystem, signal, onRefused: refuse });
  const skills = await SkillsSection.create({
    ...{ session, filesystem, signal },
    onRefused: ({ path, reason }) => refuse(path, reason),
  });
  const names = [...rules.files, ...skills.skills.map(({ name }) => `skill ${name}`)];
  if (names.length > 0)
    remark(io, dim(oneLine(`rules: ${names.map(safeText).join(", ")}`, io.columns)));
  return [
    ...(rules.files.length > 0 ? [rules] : []),
    ...(skills.skills.length > 0 ? [skills] : []),
  ];
}

function isBoundPrompt(value: unknown): value is BoundPrompt {
  return typeof value === "object" && value !== null && "render" in value && "open" in value;
}

function isOpen(prompt: BoundPrompt): prompt is OpenPrompt {
  return "with" in prompt && "template" in prompt;
}
