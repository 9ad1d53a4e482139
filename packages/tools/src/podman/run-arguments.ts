import type { ContainerSpec, EngineReport } from "./container-engine.js";
import { GUARD_DIRECTORY } from "./container-programs.js";

/** Room for a copy of any shell. It is memory that is used only as far as the copy goes. */
const GUARD_BYTES = 8 * 1024 * 1024;

/** What Podman would otherwise do by itself. It hands over the host's proxies, with their passwords, unless told not to. */
const PODMAN_ONLY = [
  "--read-only-tmpfs=false",
  "--env-host=false",
  "--http-proxy=false",
  "--image-volume=ignore",
];

/**
 * The options that make a container of a spec.
 *
 * Every value is in one piece with its option, so that none is ever taken for another option.
 */
export function runArguments(spec: ContainerSpec, report: EngineReport): readonly string[] {
  const isPodman = report.kind === "podman";
  const { memoryLimitBytes: memory, tmpBytes, maxFileBytes } = spec;
  return [
    "--detach",
    "--pull=never",
    `--name=${spec.name}`,
    `--user=${spec.user}`,
    `--workdir=${spec.workdir}`,
    "--hostname=sandbox",
    "--log-driver=none",
    "--restart=no",
    // The image's own would run as PID 1's user.
    "--no-healthcheck",
    // PID 1 has nothing to clean up, so it need not be waited for.
    "--stop-signal=KILL",
    // What it may not do.
    `--network=${spec.networkEnabled ? (isPodman && report.rootless ? "slirp4netns" : "bridge") : "none"}`,
    "--cap-drop=ALL",
    // For the guard. A process that is not root has no capability, and cannot gain one.
    "--cap-add=KILL",
    "--security-opt=no-new-privileges",
    ...(spec.seccompProfile === undefined ? [] : [`--security-opt=seccomp=${spec.seccompProfile}`]),
    "--read-only",
    `--tmpfs=/tmp:rw,nosuid,nodev,size=${tmpBytes},mode=1777`,
    `--tmpfs=${GUARD_DIRECTORY}:rw,exec,nosuid,nodev,size=${GUARD_BYTES},mode=755`,
    `--shm-size=${tmpBytes}`,
    // What it may use.
    `--pids-limit=${spec.pidsLimit}`,
    `--memory=${memory}`,
    // Memory and swap together: no swap.
    `--memory-swap=${memory}`,
    `--cpus=${spec.cpuLimit}`,
    `--ulimit=nproc=${spec.maxUserProcesses}:${spec.maxUserProcesses}`,
    "--ulimit=nofile=1024:1024",
    "--ulimit=core=0:0",
    `--ulimit=fsize=${maxFileBytes}:${maxFileBytes}`,
    ...(isPodman ? PODMAN_ONLY : []),
    ...(isPodman && !spec.networkEnabled ? ["--no-hosts"] : []),
    ...(spec.keepId ? ["--userns=keep-id"] : []),
    ...Object.entries(spec.env).map(([name, value]) => `--env=${name}=${value}`),
    ...Object.entries(spec.labels).map(([name, value]) => `--label=${name}=${value}`),
    ...spec.mounts.map(
      ({ source, target, readOnly }) =>
        `--mount=type=bind,source=${source},target=${target}${readOnly ? ",readonly" : ""}`,
    ),
    "--entrypoint=",
    spec.image,
    ...spec.command,
  ];
}
