/** One skill: a folder with a `SKILL.md` in the open Agent Skills format. */
export interface Skill {
  /** From the front matter. Also the key of its section: `open_sections` takes `skills/<name>`. */
  readonly name: string;
  readonly description: string;
  /** The folder in the workspace. */
  readonly path: string;
  /** The text below the front matter. */
  readonly instructions: string;
  /** The other files of the folder, as workspace paths in byte order. */
  readonly files: readonly string[];
  /** What the skill needs, in its own words. */
  readonly compatibility?: string | undefined;
}

/** A folder with a `SKILL.md` that was not loaded. */
export interface RefusedSkill {
  /** The folder in the workspace. */
  readonly path: string;
  /** The problem, as a sentence without its full stop. */
  readonly reason: string;
}

export const DEFAULT_SKILL_LIMITS = Object.freeze({
  maxSkills: 200,
  maxSkillFileBytes: 256 * 1024,
  maxSkillBytes: 16 * 1024 * 1024,
  maxSkillFiles: 1_000,
});

export type SkillLimits = Readonly<Record<keyof typeof DEFAULT_SKILL_LIMITS, number>>;
