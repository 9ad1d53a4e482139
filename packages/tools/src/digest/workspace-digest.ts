import { defineState, type Session } from "@wink/session";
import { z } from "zod";
import { checkValue } from "../error/check-options.js";
import { computeDigest, type DigestOptions } from "./compute-digest.js";
import { digestDirectory } from "./digest-directory.js";

const command = z.string().optional();

/** Plain data, so that a session and JSON can store it. */
const WorkspaceDigestSchema = z.object({
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
  commands: z.object({
    test: command,
    lint: command,
    typecheck: command,
    build: command,
    format: command,
  }),
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

/** The key of a `WorkspaceDigestSection` for which none is given. Its digest is in `WorkspaceDigest`. */
export const DEFAULT_DIGEST_KEY = "workspace-digest";

/** The digests of sections with other keys, because a prompt can have several workspaces. */
export const OtherDigests = defineState({
  name: "workspace-digests",
  schema: z.object({ digests: z.record(z.string(), WorkspaceDigestSchema) }),
  initial: { digests: {} },
});

/** Stores a computed digest in the session, or one that a person or an agent wrote, for the section with this key. */
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
  key: string = DEFAULT_DIGEST_KEY,
): void {
  checkArguments("setWorkspaceDigest", session, key);
  const written = typeof digest === "string" ? { summary: digest } : digest;
  checkValue("setWorkspaceDigest: digest", written, "object");
  checkValue("setWorkspaceDigest: summary", written.summary, "string");
  const complete = { ...EMPTY, ...written, body: written.body ?? "" };
  if (key === DEFAULT_DIGEST_KEY) session.slice(WorkspaceDigest).seed(complete);
  else seedOthers(session, { ...othersOf(session), [key]: complete });
}

/** The digest for the section with this key. */
export function latestWorkspaceDigest(
  session: Session,
  key: string = DEFAULT_DIGEST_KEY,
): WorkspaceDigest | undefined {
  checkArguments("latestWorkspaceDigest", session, key);
  if (key === DEFAULT_DIGEST_KEY) return session.slice(WorkspaceDigest).latest();
  const others = othersOf(session);
  return Object.hasOwn(others, key) ? others[key] : undefined;
}

/** Removes the digest for the section with this key. */
export function clearWorkspaceDigest(session: Session, key: string = DEFAULT_DIGEST_KEY): void {
  checkArguments("clearWorkspaceDigest", session, key);
  const { [key]: _, ...others } = othersOf(session);
  if (key === DEFAULT_DIGEST_KEY) session.slice(WorkspaceDigest).clear();
  else seedOthers(session, others);
}

type Digests = Readonly<Record<string, WorkspaceDigest>>;

function othersOf(session: Session): Digests {
  return session.slice(OtherDigests).latest()?.digests ?? {};
}

function seedOthers(session: Session, digests: Digests): void {
  session.slice(OtherDigests).seed({ digests: { ...digests } });
}

function checkArguments(subject: string, session: unknown, key: unknown): void {
  checkValue(`${subject}: session`, session, "session");
  checkValue(`${subject}: key`, key, "string");
}
