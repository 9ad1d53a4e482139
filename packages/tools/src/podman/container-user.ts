import type { EngineReport } from "./container-engine.js";
import type { ContainerUser } from "./overlay.js";
import { PodmanError } from "./podman-error.js";

/** By convention, no real user has this uid. */
const UNPRIVILEGED = 65_532;

/** The user that commands run as. Never root. If this process is not root it cannot `chown`, so it must be its own user. */
export function containerUser(user: string | undefined, report: EngineReport): ContainerUser {
  const own = {
    uid: process.geteuid?.() ?? UNPRIVILEGED,
    gid: process.getegid?.() ?? UNPRIVILEGED,
  };
  if (user === undefined) return own.uid === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : own;
  const [uid = 0, gid = uid] = user.split(":").map(Number);
  if (own.uid !== 0 && uid !== own.uid)
    throw new PodmanError(
      "INVALID_OPTION",
      "config.user",
      `only root can change the owner of files${report.rootless ? ", and the engine is rootless" : ""}`,
      { action: "Leave it out" },
    );
  return { uid, gid };
}
