import { Section, type Visibility } from "@wink/prompt";
import type { Session } from "@wink/session";
import { renderDigestDetails, renderDigestSummary } from "./render-digest.js";
import { WorkspaceDigest } from "./workspace-digest.js";

export interface WorkspaceDigestSectionOptions<Key extends string = "workspace-digest"> {
  /** Keeps the digest. */
  readonly session: Session;
  /** Whether the file tree and the key files are shown at once, or when the model opens them. @default "summary" */
  readonly visibility?: Visibility | undefined;
  /** What is shown when the session has no digest. @default a placeholder, with a warning */
  readonly override?: string | undefined;
  /** Hears when a prompt is rendered without any digest, once. @default `console.warn` */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** @default "workspace-digest" */
  readonly key?: Key | undefined;
  /** @default "Workspace digest" */
  readonly title?: string | undefined;
}

export const DIGEST_PLACEHOLDER =
  "There is no digest of this workspace yet. Look around before you rely on anything: list the root, read the README, and find out how its tests are run.";

// NoInfer: in a list of sections the key is the one given or the default, not whatever the list would allow.
/**
 * Tells a model what it works on before it looks: the session's digest, or else an
 * override, or else a placeholder.
 *
 * A prompt override for the placeholder is one for the section `<key>/placeholder`.
 */
export class WorkspaceDigestSection<const Key extends string = "workspace-digest"> extends Section<
  NoInfer<Key>,
  undefined,
  readonly [DigestDetails, DigestPlaceholder]
> {
  constructor(options: WorkspaceDigestSectionOptions<Key>) {
    const { session, visibility = "summary", title = "Workspace digest" } = options;
    super({
      // Without a key its type is the default of the parameter.
      key: options.key ?? ("workspace-digest" as Key),
      title,
      children: [new DigestDetails(visibility), new DigestPlaceholder(options)],
      slices: [WorkspaceDigest],
      // The session comes before any override, so a replaced text must not hide it.
      acceptsOverrides: false,
    });
    session.install(WorkspaceDigest);
  }

  override render(_: Readonly<Record<string, unknown>>, session: Session): string {
    const digest = digestOf(session);
    return digest === undefined ? "" : renderDigestSummary(digest);
  }
}

/** The longer part, which the model opens when it needs it. */
class DigestDetails extends Section<"details", undefined, readonly []> {
  constructor(visibility: Visibility) {
    super({
      key: "details",
      title: "Files of the workspace",
      summary: "The tree of directories and the beginnings of the most telling files.",
      visibility,
      enabled: (_: never, session: Session) => detailsOf(session) !== "",
      acceptsOverrides: false,
    });
  }

  override render(_: Readonly<Record<string, unknown>>, session: Session): string {
    return detailsOf(session);
  }
}

/** What stands in place of a digest that nobody has made. */
class DigestPlaceholder extends Section<"placeholder", undefined, readonly []> {
  readonly #override: string | undefined;
  readonly #onWarning: (warning: string) => void;
  #warned = false;

  constructor({ override, onWarning }: WorkspaceDigestSectionOptions<string>) {
    super({
      key: "placeholder",
      title: "Not explored yet",
      enabled: (_: never, session: Session) => digestOf(session) === undefined,
    });
    this.#override = override;
    this.#onWarning = onWarning ?? ((warning) => console.warn(warning));
  }

  override get source(): string {
    return this.#override ?? DIGEST_PLACEHOLDER;
  }

  override render(): string {
    if (this.#override !== undefined) return this.#override;
    if (!this.#warned) this.#onWarning(WARNING);
    this.#warned = true;
    return DIGEST_PLACEHOLDER;
  }
}

const WARNING =
  "A WorkspaceDigestSection has no digest to show; compute one with WorkspaceDigest.fromFilesystem and keep it with setWorkspaceDigest.";

function digestOf(session: Session): WorkspaceDigest | undefined {
  return session.slice(WorkspaceDigest).latest();
}

function detailsOf(session: Session): string {
  const digest = digestOf(session);
  return digest === undefined ? "" : renderDigestDetails(digest);
}
