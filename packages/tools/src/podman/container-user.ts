import type { EngineReport } from "./container-engine.js";
import type { ContainerUser } from "./overlay.js";
import { PodmanError } from "./podman-error.js";

/** Nobody has this number, on any machine that follows the custom. */
const UNPRIVILEGED = 65_532;

/** Whom commands run as: never root, and where this process cannot give files away, whoever it runs as. */
export function containerUser(user: string | undefined, report: EngineReport): ContainerUser {
  const own = {
    uid: process.geteuid?.() ?? UNPRIVILEGED,
    gid: process.getegid?.() ?? UNPRIVILEGED,
  };
  if (user === undefined) return own.uid === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : own;
  const [uid = 0, gid = uid] = user.split(":").map(Number);
  if (own.uid !== 0 && uid !== own.uid)
    throw new PodmanError(
      "INVALID_CONFIG",
      `Only root can give files to another user${report.rootless ? ", and the engine is rootless" : ""}`,
      { action: "leave config.user out" },
    );
  return { uid, gid };
}
