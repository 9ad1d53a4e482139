import { showCommands } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import type { Diagnosis } from "./check.js";
import { checkGit, checkLimits, checkNode } from "./check-machine.js";
import { checkModels } from "./check-models.js";
import { checkPodman } from "./check-podman.js";
import { checkState } from "./check-state.js";

/**
 * Checks everything that `wink` uses on this machine. It changes nothing, except for a container
 * that it starts and removes.
 */
export async function diagnose(io: Io): Promise<Diagnosis> {
  const [git, state, podman] = await Promise.all([checkGit(io), checkState(io), checkPodman()]);
  const found = [checkNode(), git, checkLimits(), ...state, ...checkModels(io), ...podman];
  const checks = found.map((check) =>
    check.action === undefined ? check : { ...check, action: showCommands(io, check.action) },
  );
  return { usable: checks.every(({ status }) => status !== "failed"), checks };
}
