import { diagnosePodman, type PodmanDiagnosis } from "@wink/tools/podman";
import type { Check } from "./check.js";

/**
 * Checks whether commands can run in a container. Only `--backend podman` needs it, so a problem
 * here is never a failure.
 */
export async function checkPodman(): Promise<readonly Check[]> {
  const { checks } = await diagnosePodman();
  return checks.filter(({ status }) => status !== "skipped").map(toCheck);
}

function toCheck({ name, status, message, action }: PodmanDiagnosis["checks"][number]): Check {
  return {
    name: `podman ${name}`,
    status: status === "ok" ? "ok" : "warning",
    message,
    ...(action === undefined ? {} : { action: `${action}.` }),
  };
}
