import type { ContainerSpec } from "./container-engine.js";
import { imageMissing, PodmanError } from "./podman-error.js";

const MAX_SEARCHED_CHARACTERS = 4_000;

/** Maps the engine's error output to a `PodmanError` when a container does not start. */
export function startError(stderr: string, { image }: ContainerSpec, engine: string) {
  const options = { details: stderr };
  // The reason is at the end. The limit keeps the regular expressions below fast.
  const details = stderr.slice(-MAX_SEARCHED_CHARACTERS);
  if (/image not known|no such image|unable to find image|image .*not found/i.test(details))
    return imageMissing(image, engine, stderr);
  if (
    /executable file .*not found|no such file or directory.*exec|exec format error/i.test(details)
  )
    return new PodmanError("IMAGE_UNUSABLE", `image '${image}'`, "it has no shell", options);
  if (/no space left|disk quota exceeded/i.test(details))
    return new PodmanError("NO_SPACE", engine, "no space is left to start a container", options);
  if (/cgroup|controller/i.test(details))
    return new PodmanError(
      "LIMIT_UNAVAILABLE",
      "container",
      "the kernel cannot enforce one of its limits",
      options,
    );
  return new PodmanError("START_FAILED", engine, "it could not start a container", options);
}
