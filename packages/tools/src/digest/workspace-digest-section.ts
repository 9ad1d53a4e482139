import { Section, type Visibility } from "@wink/prompt";
import type { Session } from "@wink/session";
import { checkOptions, type OptionKinds } from "../error/check-options.js";
import { renderDigestDetails, renderDigestSummary } from "./render-digest.js";
import {
  DEFAULT_DIGEST_KEY,
  latestWorkspaceDigest,
  OtherDigests,
  WorkspaceDigest,
} from "./workspace-digest.js";

export interface WorkspaceDigestSectionOptions<Key extends string = "workspace-digest"> {
  /** Stores the digest. */
  readonly session: Session;
  /** Whether to show the file tree and the key files immediately, or only when the model opens them. @default "summary" */
  readonly visibility?: Visibility | undefined;
  /** The text to show if the session has no digest. @default a placeholder, with a warning */
  readonly override?: string | undefined;
  /** Whether a prompt override may replace the placeholder. @default false */
  readonly acceptsOverrides?: boolean | undefined;
  /** Called once, when a prompt is rendered without a digest or `override`. @default `console.warn` */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** Also the key of its digest in `setWorkspaceDigest`. @default "workspace-digest" */
  readonly key?: Key | undefined;
  /** @default "Workspace digest" */
  readonly title?: string | undefined;
}

const KINDS: OptionKinds<WorkspaceDigestSectionOptions> = {
  session: "session",
  visibility: "string",
  override: "string",
  acceptsOverrides: "boolean",
  onWarning: "function",
  key: "string",
  title: "string",
};

export const DIGEST_PLACEHOLDER =
  "This workspace has no digest yet. Explore it before you make assumptions: list the root, read the README, and find out how to run the tests.";

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/**
 * Describes the project to the model: with the session's digest, otherwise with `override`, otherwise with a
 * placeholder.
 *
 * To replace the placeholder with a prompt override, set `acceptsOverrides` and override the section
 * `<key>/placeholder`.
 */
export class WorkspaceDigestSection<const Key extends string = "workspace-digest"> extends Section<
  NoInfer<Key>,
  undefined,
  readonly [
    Section<"details", undefined, readonly []>,
    Section<"placeholder", undefined, readonly []>,
  ]
> {
  constructor(options: WorkspaceDigestSectionOptions<Key>) {
    checkOptions("WorkspaceDigestSection", options, KINDS, ["session"]);
    const { session, title = "Workspace digest" } = options;
    super({
      // Without `key`, `Key` is its default "workspace-digest".
      key: options.key ?? (DEFAULT_DIGEST_KEY as Key),
      title,
      children: [new DigestDetails(options), new DigestPlaceholder(options)],
      slices: [WorkspaceDigest, OtherDigests],
      // The session's digest has priority, so an override must not hide it.
      acceptsOverrides: false,
    });
    session.install(WorkspaceDigest);
    session.install(OtherDigests);
  }

  override render(_: Readonly<Record<string, unknown>>, session: Session): string {
    const digest = latestWorkspaceDigest(session, this.key);
    return digest === undefined ? "" : renderDigestSummary(digest);
  }
}

/** The details, which the model opens if it needs them. */
class DigestDetails extends Section<"details", undefined, readonly []> {
  readonly #key: string | undefined;

  constructor({ visibility = "summary", key }: WorkspaceDigestSectionOptions<string>) {
    super({
      key: "details",
      title: "Files of the workspace",
      summary: "Notes, the directory tree and the beginnings of the key files.",
      visibility,
      enabled: (_: unknown, session: Session) => detailsOf(session, key) !== "",
      acceptsOverrides: false,
    });
    this.#key = key;
  }

  override render(_: Readonly<Record<string, unknown>>, session: Session): string {
    return detailsOf(session, this.#key);
  }
}

/** Replaces a missing digest. */
class DigestPlaceholder extends Section<"placeholder", undefined, readonly []> {
  readonly #session: Session;
  readonly #override: string | undefined;
  readonly #onWarning: (warning: string) => void;
  #warned = false;

  constructor({
    session: own,
    override,
    onWarning,
    key,
    acceptsOverrides = false,
  }: WorkspaceDigestSectionOptions<string>) {
    super({
      key: "placeholder",
      title: "Not explored yet",
      enabled: (_: unknown, session: Session) => latestWorkspaceDigest(session, key) === undefined,
      acceptsOverrides,
    });
    this.#session = own;
    this.#override = override;
    this.#onWarning = onWarning ?? ((warning) => console.warn(warning));
  }

  override get source(): string {
    return this.#override ?? DIGEST_PLACEHOLDER;
  }

  override render(_: unknown, session: Session): string {
    if (this.#override !== undefined) return this.#override;
    // A loop also renders with an empty session, to compute the hash of the prompt. No model sees that.
    if (session !== this.#session) return DIGEST_PLACEHOLDER;
    if (!this.#warned) this.#onWarning(WARNING);
    this.#warned = true;
    return DIGEST_PLACEHOLDER;
  }
}

const WARNING =
  "WorkspaceDigestSection: the session has no digest. Compute one with WorkspaceDigest.fromFilesystem and store it with setWorkspaceDigest.";

function detailsOf(session: Session, key: string | undefined): string {
  const digest = latestWorkspaceDigest(session, key);
  return digest === undefined ? "" : renderDigestDetails(digest);
}
