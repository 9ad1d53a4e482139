import type { Filesystem } from "@wink/filesystem";
import { Section } from "@wink/prompt";
import type { Session } from "@wink/session";
import {
  checkOptions,
  type OptionKinds,
  requireCreated,
  resolveLimits,
} from "../error/check-options.js";
import { NAMING, nameSection, type SectionNaming } from "../error/section-naming.js";
import { readOnce } from "../events/read-once.js";
import { count } from "../reply/count.js";
import { type LoadedSkills, loadSkills } from "./load-skills.js";
import { DEFAULT_SKILL_LIMITS, type RefusedSkill, type Skill, type SkillLimits } from "./skill.js";

export interface SkillsSectionOptions<Key extends string = "skills"> extends SectionNaming<Key> {
  /** Stores the skills, so that a continued run has the same ones. */
  readonly session: Session;
  /** The workspace that has the skills. Mount folders of your machine to add them. */
  readonly filesystem: Filesystem;
  /**
   * Folders of the workspace. Each of their subfolders with a `SKILL.md` is a skill. If two have the same name, the
   * first one is used. @default [".agents/skills", ".claude/skills"]
   */
  readonly paths?: readonly string[] | undefined;
  /** Called for each skill that is refused. @default `console.warn` */
  readonly onRefused?: ((refused: RefusedSkill) => void) | undefined;
  /** A skill over a limit is refused. */
  readonly limits?:
    | {
        /** @default 200 */
        readonly maxSkills?: number | undefined;
        /** The size of a `SKILL.md`. @default 262_144 (256 KiB) */
        readonly maxSkillFileBytes?: number | undefined;
        /** The size of all files of one skill. @default 16_777_216 (16 MiB) */
        readonly maxSkillBytes?: number | undefined;
        /** The number of files of one skill. @default 1_000 */
        readonly maxSkillFiles?: number | undefined;
      }
    | undefined;
  /** Cancels the loading. @default none */
  readonly signal?: AbortSignal | undefined;
}

const KINDS: OptionKinds<SkillsSectionOptions> = {
  session: "session",
  filesystem: "filesystem",
  paths: "strings",
  onRefused: "function",
  limits: "object",
  signal: "signal",
  ...NAMING,
};

const DEFAULT_PATHS: readonly string[] = [".agents/skills", ".claude/skills"];

const INTRODUCTION =
  "Each skill below has instructions for one kind of task. When your task fits a description, open that skill before you start, and follow it.";

interface Parts<Key extends string> {
  readonly template: LoadedSkills;
  readonly options: SkillsSectionOptions<Key>;
}

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/**
 * Shows the names and descriptions of skills, and lets the model open one at a time.
 *
 * A skill is a folder in the open Agent Skills format. Its text is read once for each session, so an agent that changes
 * the files does not change its instructions, also if its run continues in another process.
 */
export class SkillsSection<const Key extends string = "skills"> extends Section<
  NoInfer<Key>,
  undefined,
  readonly Section<string, undefined, readonly []>[]
> {
  readonly skills: readonly Skill[];
  /** The folders with a `SKILL.md` that were not loaded. */
  readonly refused: readonly RefusedSkill[];

  /** Reads the skills. A skill that does not follow the format or is over a limit is refused, and the others are loaded. */
  static async create<const Key extends string = "skills">(
    options: SkillsSectionOptions<Key>,
  ): Promise<SkillsSection<Key>> {
    checkOptions("SkillsSection", options, KINDS, ["session", "filesystem"]);
    const limits: SkillLimits = resolveLimits("limits", options.limits, DEFAULT_SKILL_LIMITS);
    const { session, filesystem, paths = DEFAULT_PATHS, onRefused = warn, signal } = options;
    // Without `key`, `Key` is its default "skills".
    const section = options.key ?? ("skills" as Key);
    const read = async () => JSON.stringify(await loadSkills(filesystem, paths, limits, signal));
    // This method wrote it.
    const loaded = JSON.parse(await readOnce(session, { section, read })) as LoadedSkills;
    for (const refused of loaded.refused) onRefused(refused);
    return new SkillsSection({ template: loaded, options });
  }

  private constructor(parts: Parts<Key>) {
    requireCreated("SkillsSection", parts);
    const { template, options } = parts;
    const { acceptsOverrides = false } = options;
    super({
      ...nameSection(options, "skills", "Skills"),
      children: template.skills.map((skill) => new OneSkill(skill, acceptsOverrides)),
      enabled: template.skills.length > 0,
    });
    this.skills = Object.freeze([...template.skills]);
    this.refused = Object.freeze([...template.refused]);
  }

  override get source(): string {
    return INTRODUCTION;
  }

  override render(): string {
    return INTRODUCTION;
  }
}

/** A skill that is shown by its description until the model opens it. */
class OneSkill extends Section<string, undefined, readonly []> {
  readonly #text: string;

  constructor(skill: Skill, acceptsOverrides: boolean) {
    super({
      key: skill.name,
      title: skill.name,
      // In one line, so that it cannot contain headings of the prompt. `$$` is a dollar sign, because a summary may have
      // placeholders.
      summary: skill.description.replace(/\s+/g, " ").replaceAll("$", "$$$$"),
      visibility: "summary",
      acceptsOverrides,
    });
    this.#text = describeSkill(skill);
  }

  override get source(): string {
    return this.#text;
  }

  override render(): string {
    return this.#text;
  }
}

const MAX_LISTED_FILES = 50;

function describeSkill({ instructions, files, path, compatibility }: Skill): string {
  const listed = files.slice(0, MAX_LISTED_FILES).map((file) => `- ${file}`);
  const more = files.length - listed.length;
  if (more > 0) listed.push(`- and ${count(more, "more file")}`);
  return [
    instructions,
    ...(compatibility === undefined ? [] : [`Needs: ${compatibility}`]),
    `The skill's folder is '${path}'. Relative paths in its text start there.`,
    ...(listed.length === 0 ? [] : [`Its files:\n\n${listed.join("\n")}`]),
  ].join("\n\n");
}

function warn({ path, reason }: RefusedSkill): void {
  console.warn(`skill '${path}': ${reason}. It was not loaded.`);
}
