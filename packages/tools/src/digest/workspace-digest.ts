import { defineState, type Session } from "@wink/session";
import { z } from "zod";
import { computeDigest, type DigestOptions } from "./compute-digest.js";
import { digestDirectory } from "./digest-directory.js";

const command = z.string().optional();

/** Plain data: a session can keep it and JSON can carry it. */
export const WorkspaceDigestSchema = z.object({
  /** A hash of the files it was made of; empty when somebody wrote it. */
  key: z.string(),
  /** A few lines on what the project is. */
  summary: z.string(),
  /** What an exploring agent wrote beside the summary. */
  body: z.string(),
  /** Such as `Node.js monorepo`. */
  projectKind: z.string(),
  /** The language most of the programs are written in. */
  primaryLanguage: z.string(),
  /** By bytes, most first. */
  languages: z.array(z.object({ name: z.string(), sizeBytes: z.number() })),
  packageManager: z.string(),
  commands: z.object({ test: command, lint: command, build: command, format: command }),
  frameworks: z.array(z.string()),
  entryPoints: z.array(z.string()),
  /** The directories and files, pruned. */
  fileTree: z.string(),
  /** Files that tell most, each clipped. */
  keyFiles: z.array(z.object({ path: z.string(), content: z.string(), truncated: z.boolean() })),
  /** What was found, in words: `Testing: pnpm test`. */
  patterns: z.array(z.string()),
  totalFiles: z.number(),
  totalSizeBytes: z.number(),
});

export type WorkspaceDigest = z.infer<typeof WorkspaceDigestSchema>;

const EMPTY: WorkspaceDigest = {
  key: "",
  summary: "",
  body: "",
  projectKind: "",
  primaryLanguage: "",
  languages: [],
  packageManager: "",
  commands: {},
  frameworks: [],
  entryPoints: [],
  fileTree: "",
  keyFiles: [],
  patterns: [],
  totalFiles: 0,
  totalSizeBytes: 0,
};

/** What is known of a workspace as a whole, in every session; and the ways to find it out. */
export const WorkspaceDigest = Object.freeze({
  ...defineState({ name: "workspace-digest", schema: WorkspaceDigestSchema, initial: EMPTY }),

  /**
   * The digest of a directory of this machine. No link is followed.
   * Rejects with a `FilesystemError` when it cannot be read.
   */
  fromDirectory: (directory: string, options: DigestOptions = {}): Promise<WorkspaceDigest> =>
    digestDirectory(directory, options),

  /** The digest of any filesystem. */
  fromFilesystem: computeDigest,
});

/** What somebody wrote about a workspace. */
export interface WrittenDigest {
  readonly summary: string;
  /** What is shown beside the summary when all of it is wanted. @default nothing */
  readonly body?: string | undefined;
}

/** Keeps a digest in the session: one that was computed, or what an exploring agent wrote. */
export function setWorkspaceDigest(
  session: Session,
  digest: WorkspaceDigest | WrittenDigest | string,
): void {
  const written = typeof digest === "string" ? { summary: digest } : digest;
  session.slice(WorkspaceDigest).seed({ ...EMPTY, ...written, body: written.body ?? "" });
}

export function latestWorkspaceDigest(session: Session): WorkspaceDigest | undefined {
  return session.slice(WorkspaceDigest).latest();
}

export function clearWorkspaceDigest(session: Session): void {
  session.slice(WorkspaceDigest).clear();
}
