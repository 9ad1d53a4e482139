import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { Section } from "@wink/prompt";
import { ReadLedger } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { isSkippedDirectory } from "../digest/skipped-directories.js";
import {
  checkOptions,
  checkValue,
  type OptionKinds,
  requireCreated,
  resolveLimits,
} from "../error/check-options.js";
import { NAMING, nameSection, type SectionNaming } from "../error/section-naming.js";
import { readOnce } from "../events/read-once.js";

export interface AgentsFileSectionOptions<Key extends string = "agents-file">
  extends SectionNaming<Key> {
  /** Stores which files the model has read. */
  readonly session: Session;
  /** The workspace that has the files. */
  readonly filesystem: Filesystem;
  /** File names. In each directory the first one that exists is used. @default ["AGENTS.md"] */
  readonly names?: readonly string[] | undefined;
  /** Called for each file that is not loaded, with its path and the reason. @default `console.warn` */
  readonly onRefused?: ((path: string, reason: string) => void) | undefined;
  /** Files above a limit are not loaded. */
  readonly limits?:
    | {
        /** @default 65_536 (64 KiB) */
        readonly maxFileBytes?: number | undefined;
        /** @default 100 */
        readonly maxFiles?: number | undefined;
      }
    | undefined;
  /** Cancels the loading. @default none */
  readonly signal?: AbortSignal | undefined;
}

const KINDS: OptionKinds<AgentsFileSectionOptions> = {
  session: "session",
  filesystem: "filesystem",
  names: "strings",
  onRefused: "function",
  limits: "object",
  signal: "signal",
  ...NAMING,
};

const DEFAULT_LIMITS = Object.freeze({ maxFileBytes: 64 * 1024, maxFiles: 100 });

const INTRODUCTION =
  "Rules that the project's authors wrote for agents. They apply to the directory of the file and everything below it. If two rules differ, the file in the deeper directory wins.";

/** A file with rules, and the directory they apply to. */
interface AgentsFile {
  readonly path: string;
  /** `""` for the root. */
  readonly directory: string;
  readonly text: string;
}

interface Parts<Key extends string> {
  readonly template: readonly AgentsFile[];
  readonly options: AgentsFileSectionOptions<Key>;
}

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/**
 * Shows the `AGENTS.md` of the root, and those of each directory that has a file the model has read or written, from
 * the root down.
 *
 * The texts are read once, when the section is created, so an agent that changes the files does not change its rules.
 */
export class AgentsFileSection<const Key extends string = "agents-file"> extends Section<
  NoInfer<Key>,
  undefined,
  readonly []
> {
  readonly #files: readonly AgentsFile[];

  static async create<const Key extends string = "agents-file">(
    options: AgentsFileSectionOptions<Key>,
  ): Promise<AgentsFileSection<Key>> {
    checkOptions("AgentsFileSection", options, KINDS, ["session", "filesystem"]);
    // Without `key`, `Key` is its default "agents-file".
    const section = options.key ?? ("agents-file" as Key);
    const read = async () => JSON.stringify(await loadFiles(options));
    const text = await readOnce(options.session, { section, read });
    // This method wrote it.
    return new AgentsFileSection({ template: JSON.parse(text) as readonly AgentsFile[], options });
  }

  private constructor(parts: Parts<Key>) {
    requireCreated("AgentsFileSection", parts);
    const { template, options } = parts;
    super({
      ...nameSection(options, "agents-file", "Rules of this project"),
      enabled: template.length > 0,
      slices: [ReadLedger],
    });
    this.#files = template;
    options.session.install(ReadLedger);
  }

  /** The paths of the loaded files, from the root down. */
  get files(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  /**
   * Leaves out the contents of the files: a continued run may have changed them, and the hash of its section must stay
   * the same.
   */
  override get source(): string {
    return INTRODUCTION;
  }

  override render(_: Readonly<Record<string, never>>, session: Session): string {
    checkValue("AgentsFileSection.render: session", session, "session");
    const current = session.slice(ReadLedger).all();
    const applies = ({ directory }: AgentsFile) =>
      directory === "" || current.some(({ path }) => path.startsWith(`${directory}/`));
    return [INTRODUCTION, ...this.#files.filter(applies).map(describeFile)].join("\n\n");
  }
}

function describeFile({ path, text }: AgentsFile): string {
  return `From '${path}':\n\n${text.trim()}`;
}

async function loadFiles(
  options: AgentsFileSectionOptions<string>,
): Promise<readonly AgentsFile[]> {
  const { filesystem, names = ["AGENTS.md"], onRefused = warn, signal } = options;
  const { maxFileBytes, maxFiles } = resolveLimits("limits", options.limits, DEFAULT_LIMITS);
  const files: AgentsFile[] = [];
  for (const { path, directory } of await findFiles(filesystem, names, signal)) {
    if (files.length === maxFiles) {
      onRefused(path, `there are more than ${maxFiles} files`);
      continue;
    }
    const text = await readText(filesystem, path, maxFileBytes, signal);
    if (typeof text === "string") files.push({ path, directory, text });
    else onRefused(path, text.problem);
  }
  return files;
}

interface Found {
  readonly path: string;
  readonly directory: string;
}

/** Finds one file per directory: the one whose name comes first in `names`. Outer directories come first. */
async function findFiles(
  filesystem: Filesystem,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Found[]> {
  const byDirectory = new Map<string, Found>();
  const links = await findLinks(filesystem, names, signal);
  for (const name of names) {
    const linked = links.filter((path) => path === name || path.endsWith(`/${name}`));
    const files = await filesystem.glob(`**/${name}`, { signal });
    for (const path of [...linked, ...files.map((each) => each.path)]) {
      const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      if (directory.split("/").some(isSkippedDirectory)) continue;
      if (!byDirectory.has(directory)) byDirectory.set(directory, { path, directory });
    }
  }
  const depth = ({ directory }: Found) => (directory === "" ? 0 : directory.split("/").length);
  return [...byDirectory.values()].sort((a, b) => depth(a) - depth(b));
}

/** A search skips links, but `AGENTS.md` is often a link to another file of the same directory. */
const LINK_DEPTH = 2;

async function findLinks(
  filesystem: Filesystem,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const links: string[] = [];
  let level = ["."];
  for (let depth = 0; depth <= LINK_DEPTH; depth++) {
    const below: string[] = [];
    for (const directory of level)
      for (const { path, name, kind } of await filesystem.list(directory, { signal }))
        if (kind === "directory" && !isSkippedDirectory(name)) below.push(path);
        else if (kind === "symlink" && names.includes(name)) links.push(path);
    level = below;
  }
  return links;
}

async function readText(
  filesystem: Filesystem,
  path: string,
  maxFileBytes: number,
  signal: AbortSignal | undefined,
): Promise<string | { readonly problem: string }> {
  try {
    const { sizeBytes } = await filesystem.stat(path, { signal });
    if (sizeBytes > maxFileBytes)
      return { problem: `it has ${sizeBytes} bytes, at most ${maxFileBytes} are allowed` };
    const { content } = await filesystem.readBytes(path, { signal });
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    if (isFilesystemError(error)) return { problem: error.reason };
    if (error instanceof TypeError) return { problem: "it is not UTF-8 text" };
    throw error;
  }
}

function warn(path: string, reason: string): void {
  console.warn(`rules '${path}': ${reason}. They were not loaded.`);
}
