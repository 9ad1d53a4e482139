import { defineState, type Session } from "@wink/session";
import { z } from "zod";
import { computeDigest, type DigestOptions } from "./compute-digest.js";
import { digestDirectory } from "./digest-directory.js";

const command = z.string().optional();

/** Plain data, so that a session and JSON can store it. */
export const WorkspaceDigestSchema = z.object({
  /** A hash of the digested files; empty for a written digest. */
  key: z.string(),
  /** A few lines that describe the project. */
  summary: z.string(),
  /** Additional text that an exploring agent wrote. */
  body: z.string(),
  /** For example `Node.js monorepo`. */
  projectKind: z.string(),
  /** The programming language with the most bytes. */
  primaryLanguage: z.string(),
  /** Sorted by size, the largest first. */
  languages: z.array(z.object({ name: z.string(), sizeBytes: z.number() })),
  packageManager: z.string(),
  commands: z.object({ test: command, lint: command, build: command, format: command }),
  frameworks: z.array(z.string()),
  entryPoints: z.array(z.string()),
  /** The tree of directories and files, shortened. */
  fileTree: z.string(),
  /** The most informative files, such as the README and manifests, each clipped. */
  keyFiles: z.array(z.object({ path: z.string(), content: z.string(), truncated: z.boolean() })),
  /** The findings as text, for example `Testing: pnpm test`. */
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

/** The session state for a workspace digest, and the functions that compute one. */
export const WorkspaceDigest = Object.freeze({
  ...defineState({ name: "workspace-digest", schema: WorkspaceDigestSchema, initial: EMPTY }),

  /**
   * Computes the digest of a host directory. Does not follow links.
   * Rejects with a `FilesystemError` if the directory cannot be read.
   */
  fromDirectory: (directory: string, options: DigestOptions = {}): Promise<WorkspaceDigest> =>
    digestDirectory(directory, options),

  /** Computes the digest of any filesystem. */
  fromFilesystem: computeDigest,
});

/** Stores a computed digest in the session, or one that a person or an agent wrote. */
export function setWorkspaceDigest(
  session: Session,
  digest:
    | WorkspaceDigest
    | {
        readonly summary: string;
        /** Additional text for the details. @default none */
        readonly body?: string | undefined;
      }
    | string,
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
