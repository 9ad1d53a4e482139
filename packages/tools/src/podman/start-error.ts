import type { ContainerSpec } from "./container-engine.js";
import { PodmanError } from "./podman-error.js";

const MAX_SEARCHED_CHARACTERS = 4_000;

/** Maps the engine's error output to a `PodmanError` when a container does not start. */
export function startError(stderr: string, { image }: ContainerSpec, engine: string) {
  const options = { details: stderr };
  // The reason is at the end. The limit keeps the regular expressions below fast.
  const details = stderr.slice(-MAX_SEARCHED_CHARACTERS);
  if (/image not known|no such image|unable to find image|image .*not found/i.test(details))
    return new PodmanError("IMAGE_MISSING", `The image ${image} is not on this machine`, {
      ...options,
      action: `${engine} pull ${image}, or build it, or name another one in config.image`,
    });
  if (
    /executable file .*not found|no such file or directory.*exec|exec format error/i.test(details)
  )
    return new PodmanError("IMAGE_UNUSABLE", `The image ${image} has no shell`, options);
  if (/no space left|disk quota exceeded/i.test(details))
    return new PodmanError("NO_SPACE", "No space is left to start a container", options);
  if (/cgroup|controller/i.test(details))
    return new PodmanError(
      "LIMIT_UNAVAILABLE",
      "The kernel cannot enforce a limit of the container",
      {
        ...options,
        action:
          "enable the cgroup controllers, or another runtime (runc instead of crun) in containers.conf",
      },
    );
  return new PodmanError("START_FAILED", `${engine} could not start a container`, options);
}
