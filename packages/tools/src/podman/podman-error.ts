import { ToolsError } from "../error/tools-error.js";

const ACTIONS: Partial<Record<ToolsError["code"], string>> = {
  ENGINE_MISSING:
    "Install Podman (apt-get install podman), or choose another engine with config.engine",
  ENGINE_UNUSABLE: "Run `podman info` on the host and fix the reported problem",
  ENGINE_TOO_OLD: "Install Podman 4 or newer, or Docker 20 or newer",
  IMAGE_MISSING: "Pull or build the image on the host, or choose another one",
  IMAGE_UNUSABLE: "Use an image that has sh, sleep and setsid, such as one based on Debian",
  LIMIT_UNAVAILABLE:
    "Enable the cgroup controllers, or use another runtime (runc instead of crun) in containers.conf",
  START_FAILED: "Start a container from the same image manually and check its error",
  UNSAFE: "Check the engine's configuration for options that weaken isolation",
  NO_SPACE: "Free space on the disk of the workspaces, or set config.overlayRoot",
  CLOSED: "Create a new section",
};

/** The engine, the image or the container cannot be used. */
export class PodmanError extends ToolsError {
  override readonly name = "PodmanError";
  /** The engine's own error output, for a log. It can contain host paths, so it is not part of the message. */
  readonly details: string | undefined;

  constructor(
    code: ToolsError["code"],
    subject: string,
    reason: string,
    options: {
      /** @default none */
      readonly details?: string | undefined;
      /** @default the action for the code */
      readonly action?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    const { details, action = ACTIONS[code], cause } = options;
    super(code, { subject, reason, action, cause });
    this.details = details;
  }
}

export function imageMissing(image: string, engine: string, details?: string): PodmanError {
  return new PodmanError("IMAGE_MISSING", `image '${image}'`, "it is not on this machine", {
    details,
    action: `Run \`${engine} pull ${image}\`, build it, or choose another one`,
  });
}
