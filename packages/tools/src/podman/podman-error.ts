const ACTIONS = {
  INVALID_CONFIG: "correct the configuration of the section",
  ENGINE_MISSING: "install Podman (apt-get install podman) or name another engine in config.engine",
  ENGINE_UNUSABLE: "run `podman info` on the host and fix the reported problem",
  ENGINE_TOO_OLD: "install Podman 4 or newer, or Docker 20 or newer",
  IMAGE_MISSING: "pull or build the image on the host first; a section never pulls images",
  IMAGE_UNUSABLE: "use an image that has sh, sleep and setsid, such as one based on Debian",
  LIMIT_UNAVAILABLE: "enable the cgroup controller on the host, or leave the limit out",
  START_FAILED: "start a container from the same image manually and check its error",
  UNSAFE:
    "the container was removed; check the engine's configuration for options that weaken isolation",
  NO_SPACE: "free space on the disk of the workspaces, or set config.overlayRoot",
  CLOSED: "create a new section",
} as const;

/** Why there is no container to run a command in. */
export type PodmanErrorCode = keyof typeof ACTIONS;

export interface PodmanErrorOptions {
  /** The engine's own error output. It can contain host paths, so it is not part of the message. @default none */
  readonly details?: string | undefined;
  /** How to fix it. @default the action for the code */
  readonly action?: string | undefined;
  readonly cause?: unknown;
}

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.podman.error");

/**
 * The engine, the image or the container cannot be used.
 *
 * The message states the problem and the fix, and contains nothing that a model must not see. Branch on `code`.
 */
export class PodmanError extends Error {
  override readonly name = "PodmanError";
  readonly code: PodmanErrorCode;
  /** How an operator of the host can fix it. */
  readonly action: string;
  /** The engine's own error output, for a log. */
  readonly details: string | undefined;
  readonly [BRAND] = true;

  constructor(code: PodmanErrorCode, problem: string, options: PodmanErrorOptions = {}) {
    const { details, action = ACTIONS[code], cause } = options;
    super(`${problem}. What to do: ${action}.`, { cause });
    this.code = code;
    this.action = action;
    this.details = details;
  }
}

export function isPodmanError(error: unknown, code?: PodmanErrorCode): error is PodmanError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  // Only `PodmanError` sets the brand, so `code` exists.
  return code === undefined || (error as PodmanError).code === code;
}
