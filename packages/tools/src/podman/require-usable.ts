import type { EngineReport } from "./container-engine.js";
import { imageMissing, PodmanError } from "./podman-error.js";
import type { ResolvedConfig } from "./resolve-config.js";

/** @throws PodmanError if the engine, the image or a cgroup controller is missing */
export async function requireUsable({ engine, image }: ResolvedConfig): Promise<EngineReport> {
  const report = await engine.inspect(image);
  if (!report.hasImage) throw imageMissing(image, engine.name);
  const missing = missingControllers(report);
  // A rootless engine may not have them. Then the section's `unenforcedLimits` names the limits.
  if (missing.length > 0 && !report.rootless)
    throw new PodmanError(
      "LIMIT_UNAVAILABLE",
      "container",
      `the kernel has no cgroup controller for ${missing.join(", ")}`,
    );
  return report;
}

const NEEDED = ["cpu", "memory", "pids"];

export function missingControllers({ controllers }: EngineReport): readonly string[] {
  return controllers === undefined ? [] : NEEDED.filter((name) => !controllers.includes(name));
}
