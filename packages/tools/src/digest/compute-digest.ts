import type { CallOptions, Filesystem } from "@wink/filesystem";
import {
  checkOptions,
  checkValue,
  type OptionKinds,
  resolveLimits,
} from "../error/check-options.js";
import { boundary } from "../reply/clip-text.js";
import { nextTurn } from "../reply/step-counter.js";
import { describeDigest } from "./describe-digest.js";
import { digestKey } from "./digest-key.js";
import { COMMANDS, type Commands, type Findings } from "./ecosystems/findings.js";
import { ecosystems } from "./ecosystems/index.js";
import { ProjectFiles, type ScannedFile } from "./ecosystems/project-files.js";
import { drawTree } from "./file-tree.js";
import { primaryLanguage, shareLanguages } from "./languages.js";
import { scanFilesystem } from "./scan-filesystem.js";
import type { WorkspaceDigest } from "./workspace-digest.js";

export interface DigestOptions extends CallOptions {
  /** Includes only files that match one of these patterns. @default every file */
  readonly includeGlob?: readonly string[] | undefined;
  /** Excludes files and directories that match one of these patterns. Common generated directories are always excluded. @default none */
  readonly excludeGlob?: readonly string[] | undefined;
  /** How much is read and shown. */
  readonly limits?:
    | {
        /** Larger files are not read. @default 262_144 (256 KiB) */
        readonly maxReadFileBytes?: number | undefined;
        /** @default 200 */
        readonly maxReadFiles?: number | undefined;
        /** @default 1_048_576 (1 MiB) */
        readonly maxReadTotalBytes?: number | undefined;
        /** Depth of the file tree. @default 3 */
        readonly maxTreeDepth?: number | undefined;
        /** @default 200 */
        readonly maxTreeLines?: number | undefined;
        /** Files that the tree shows of one directory. @default 20 */
        readonly maxTreeFilesPerFolder?: number | undefined;
        /** @default 8 */
        readonly maxKeyFiles?: number | undefined;
        /** Characters that are shown of one key file. @default 3_000 */
        readonly maxKeyFileCharacters?: number | undefined;
      }
    | undefined;
  /** An earlier digest. It is returned if no file has changed since. @default none */
  readonly previous?: WorkspaceDigest | undefined;
  /** Receives the progress from time to time. @default none */
  readonly onProgress?:
    | ((progress: {
        readonly stage: "scanning" | "reading" | "done";
        readonly fileCount: number;
      }) => void)
    | undefined;
}

const KINDS: OptionKinds<DigestOptions> = {
  includeGlob: "strings",
  excludeGlob: "strings",
  limits: "object",
  previous: "object",
  onProgress: "function",
  signal: "signal",
};

const DEFAULT_LIMITS = Object.freeze({
  maxReadFileBytes: 256 * 1024,
  maxReadFiles: 200,
  maxReadTotalBytes: 1024 * 1024,
  maxTreeDepth: 3,
  maxTreeLines: 200,
  maxTreeFilesPerFolder: 20,
  maxKeyFiles: 8,
  maxKeyFileCharacters: 3_000,
});

type Limits = Readonly<Record<keyof typeof DEFAULT_LIMITS, number>>;

export function checkDigestOptions(options: DigestOptions): void {
  checkOptions("WorkspaceDigest", options, KINDS);
}

/** Scans the files and computes their digest. Returns `previous` if the hash of the files is the same. */
export async function computeDigest(
  filesystem: Filesystem,
  options: DigestOptions = {},
): Promise<WorkspaceDigest> {
  checkValue("WorkspaceDigest.fromFilesystem: filesystem", filesystem, "filesystem");
  checkDigestOptions(options);
  return await digestOf(await scanFilesystem(filesystem, options), filesystem, options);
}

/** Computes the digest of scanned files. */
export async function digestOf(
  files: readonly ScannedFile[],
  filesystem: Filesystem,
  { previous, onProgress, ...options }: DigestOptions,
): Promise<WorkspaceDigest> {
  const limits = resolveLimits("limits", options.limits, DEFAULT_LIMITS);
  const key = await digestKey(files);
  if (previous !== undefined && previous.key === key) {
    onProgress?.({ stage: "done", fileCount: files.length });
    return previous;
  }
  onProgress?.({ stage: "reading", fileCount: files.length });
  const project = new ProjectFiles(files, filesystem, limits);
  // Read these first, because many manifests could use up the read limit.
  await project.readAll([...readmeOf(project), ...GUIDES]);
  const found: Findings[] = [];
  for (const look of ecosystems) {
    const findings = await look(project);
    if (findings !== undefined) found.push(findings);
    // Each ecosystem searches all paths, possibly hundreds of thousands, so yield in between.
    await nextTurn();
  }
  const digest = await assemble(key, project, found, limits);
  onProgress?.({ stage: "done", fileCount: files.length });
  return digest;
}

async function assemble(
  key: string,
  project: ProjectFiles,
  found: readonly Findings[],
  limits: Limits,
): Promise<WorkspaceDigest> {
  const { files } = project;
  const languages = shareLanguages(files);
  const language = primaryLanguage(languages) ?? found[0]?.language ?? "";
  // The ecosystem of the main language comes first.
  const ordered = [...found].sort(
    (one, other) => Number(other.language === language) - Number(one.language === language),
  );
  const main = ordered[0];
  const entryPoints = unique(ordered.flatMap((each) => each.entryPoints)).slice(0, 10);
  const keyFiles = await clipKeyFiles(project, ordered, entryPoints, limits);
  const facts = {
    key,
    body: "",
    projectKind: main?.kind ?? (files.length === 0 ? "empty workspace" : "collection of files"),
    primaryLanguage: language,
    languages: languages.slice(0, 12).map((share) => ({ ...share })),
    packageManager: ordered.find((each) => each.packageManager)?.packageManager ?? "",
    commands: mergeCommands(ordered),
    frameworks: unique(ordered.flatMap((each) => each.frameworks)).slice(0, 20),
    entryPoints,
    fileTree: drawTree(files, {
      maxDepth: limits.maxTreeDepth,
      maxLines: limits.maxTreeLines,
      maxFilesPerFolder: limits.maxTreeFilesPerFolder,
    }),
    keyFiles,
    totalFiles: files.length,
    totalSizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
  return { ...facts, ...describeDigest({ ...facts, unread: project.unread }) };
}

function mergeCommands(found: readonly Findings[]): Commands {
  const entries = COMMANDS.flatMap((name) => {
    const command = found.map(({ commands }) => commands[name]).find((each) => each !== undefined);
    return command === undefined ? [] : [[name, command] as const];
  });
  return Object.fromEntries(entries);
}

async function clipKeyFiles(
  project: ProjectFiles,
  found: readonly Findings[],
  entryPoints: readonly string[],
  { maxKeyFiles, maxKeyFileCharacters }: Limits,
) {
  const wanted = unique([
    ...readmeOf(project),
    ...found.flatMap((each) => each.manifests),
    ...GUIDES,
    ...entryPoints,
  ]);
  const keyFiles: WorkspaceDigest["keyFiles"] = [];
  for (const path of wanted.filter((each) => project.has(each)).slice(0, maxKeyFiles)) {
    const text = await project.read(path);
    const end = boundary(text, Math.min(text.length, maxKeyFileCharacters));
    keyFiles.push({ path, content: text.slice(0, end), truncated: end < text.length });
  }
  return keyFiles;
}

const GUIDES = ["AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md"];

function readmeOf(project: ProjectFiles): readonly string[] {
  return project.matching(/^readme(?:\.\w+)?$/i).slice(0, 1);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
