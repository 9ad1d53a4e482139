import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { count } from "../reply/count.js";
import { parseSkill } from "./parse-skill.js";
import type { RefusedSkill, Skill, SkillLimits } from "./skill.js";

const SKILL_FILE = "SKILL.md";
/** As the reference implementation of the format does, this name is accepted too. */
const OTHER_SKILL_FILE = "skill.md";

export interface LoadedSkills {
  readonly skills: readonly Skill[];
  readonly refused: readonly RefusedSkill[];
}

/** Reads the skills in these folders of the workspace. A folder that does not exist has no skills. */
export async function loadSkills(
  filesystem: Filesystem,
  paths: readonly string[],
  limits: SkillLimits,
  signal: AbortSignal | undefined,
): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>();
  const refused: RefusedSkill[] = [];
  for (const { folder, problem } of await findSkillFolders(filesystem, paths, signal)) {
    if (problem !== undefined) {
      refused.push({ path: folder, reason: problem });
      continue;
    }
    const loaded = await loadOne(filesystem, folder, limits, signal);
    if (loaded === undefined) continue;
    const reason = typeof loaded === "string" ? loaded : conflictOf(loaded, skills, limits);
    if (reason !== undefined) refused.push({ path: folder, reason });
    else if (typeof loaded === "object") skills.set(loaded.name, loaded);
  }
  return { skills: [...skills.values()], refused };
}

function conflictOf(
  skill: Skill,
  skills: ReadonlyMap<string, Skill>,
  { maxSkills }: SkillLimits,
): string | undefined {
  const other = skills.get(skill.name);
  if (other !== undefined) return `'${other.path}' already has the name '${skill.name}'`;
  return skills.size < maxSkills ? undefined : `there are more than ${count(maxSkills, "skill")}`;
}

async function findSkillFolders(
  filesystem: Filesystem,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly SkillFolder[]> {
  const folders = new Map<string, SkillFolder>();
  const links: string[] = [];
  for (const path of paths) {
    const entries = await orMissing(filesystem.list(path, { signal }));
    for (const { path: folder, kind } of entries ?? [])
      if (kind === "symlink") links.push(folder);
      else if (kind === "directory") {
        // The folder of all skills can be a link to another one.
        const real = await filesystem.realpath(folder, { signal });
        if (!folders.has(real)) folders.set(real, { folder });
      }
  }
  for (const link of links) {
    const real = await realFolder(filesystem, link, signal);
    if (real === undefined)
      folders.set(link, {
        folder: link,
        problem: "it is a link out of the workspace, or to nothing",
      });
    else if (!folders.has(real)) folders.set(real, { folder: real });
  }
  return [...folders.values()];
}

interface SkillFolder {
  readonly folder: string;
  /** Why it is refused. */
  readonly problem?: string | undefined;
}

async function realFolder(
  filesystem: Filesystem,
  link: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    return await filesystem.realpath(link, { signal });
  } catch (error) {
    if (isFilesystemError(error)) return undefined;
    throw error;
  }
}

/** The skill of a folder, the problem as a string, or `undefined` if the folder has no `SKILL.md`. */
async function loadOne(
  filesystem: Filesystem,
  folder: string,
  limits: SkillLimits,
  signal: AbortSignal | undefined,
): Promise<Skill | string | undefined> {
  try {
    const entries = await filesystem.list(folder, { signal });
    const named = (wanted: string) => entries.find(({ name }) => name === wanted);
    const entry = named(SKILL_FILE) ?? named(OTHER_SKILL_FILE);
    if (entry === undefined) return undefined;
    const { path: skillFile } = entry;
    if (entry.kind !== "file") return `${SKILL_FILE} is not a regular file`;
    const files = await listFiles(filesystem, folder, limits, signal);
    if (typeof files === "string") return files;
    const { sizeBytes } = await filesystem.stat(skillFile, { signal });
    if (sizeBytes > limits.maxSkillFileBytes)
      return `${SKILL_FILE} has ${sizeBytes} bytes, at most ${limits.maxSkillFileBytes} are allowed`;
    const { content } = await filesystem.readBytes(skillFile, { signal });
    const text = parseSkill(new TextDecoder("utf-8", { fatal: true }).decode(content));
    if (typeof text === "string") return text;
    return { ...text, path: folder, files: files.filter((path) => path !== skillFile) };
  } catch (error) {
    if (isFilesystemError(error)) return error.reason;
    if (error instanceof TypeError) return `${SKILL_FILE} is not UTF-8 text`;
    throw error;
  }
}

/** Every file below the folder, or the problem. Nothing outside the folder is read. */
async function listFiles(
  filesystem: Filesystem,
  folder: string,
  { maxSkillFiles, maxSkillBytes }: SkillLimits,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | string> {
  const files: string[] = [];
  const directories = [folder];
  let totalBytes = 0;
  for (let directory = directories.pop(); directory; directory = directories.pop())
    for (const { path, kind } of await filesystem.list(directory, { signal })) {
      if (kind === "directory") directories.push(path);
      else if (kind !== "file") return `'${path.slice(folder.length + 1)}' is not a regular file`;
      else {
        files.push(path);
        totalBytes += (await filesystem.stat(path, { signal })).sizeBytes;
      }
      if (files.length + directories.length > maxSkillFiles)
        return `it has more than ${count(maxSkillFiles, "file")}`;
      if (totalBytes > maxSkillBytes) return `its files have more than ${maxSkillBytes} bytes`;
    }
  return files.sort();
}

async function orMissing<Result>(listing: Promise<Result>): Promise<Result | undefined> {
  try {
    return await listing;
  } catch (error) {
    if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
