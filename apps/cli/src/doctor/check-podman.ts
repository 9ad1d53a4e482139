import type { PodmanCheck } from "@wink/tools/podman";
import { diagnosePodman } from "@wink/tools/podman";
import type { Check } from "./check.js";

/** Whether commands can run in a container. Everything but `--backend podman` works without, so that nothing here is a failure. */
export async function checkPodman(): Promise<readonly Check[]> {
  const { checks } = await diagnosePodman();
  return checks.filter(({ status }) => status !== "skipped").map(toCheck);
}

function toCheck({ name, status, message, action }: PodmanCheck): Check {
  return {
    name: `podman ${name}`,
    status: status === "ok" ? "ok" : "warning",
    message,
    ...(action === undefined ? {} : { action }),
  };
}
