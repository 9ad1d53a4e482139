import type { ContainerSpec, EngineReport } from "./container-engine.js";
import { GUARD_DIRECTORY } from "./container-programs.js";

/** Enough for a copy of any shell. The tmpfs uses only as much memory as the copy needs. */
const GUARD_BYTES = 8 * 1024 * 1024;

/** Turns off Podman's defaults. For example, it would pass the host's proxy variables, with passwords, to the container. */
const PODMAN_ONLY = [
  "--read-only-tmpfs=false",
  "--env-host=false",
  "--http-proxy=false",
  "--image-volume=ignore",
];

/**
 * The arguments of `run` for a container.
 *
 * Each value is joined to its option with `=`, so that it is never read as another option.
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
    // The image's health check would run as the user of PID 1.
    "--no-healthcheck",
    // PID 1 has nothing to clean up, so do not wait for it.
    "--stop-signal=KILL",
    // Isolation.
    `--network=${spec.networkEnabled ? (isPodman && report.rootless ? "slirp4netns" : "bridge") : "none"}`,
    "--cap-drop=ALL",
    // For the guard. Processes that are not root have no capabilities and cannot gain any.
    "--cap-add=KILL",
    "--security-opt=no-new-privileges",
    ...(spec.seccompProfile === undefined ? [] : [`--security-opt=seccomp=${spec.seccompProfile}`]),
    "--read-only",
    `--tmpfs=/tmp:rw,nosuid,nodev,size=${tmpBytes},mode=1777`,
    `--tmpfs=${GUARD_DIRECTORY}:rw,exec,nosuid,nodev,size=${GUARD_BYTES},mode=755`,
    `--shm-size=${tmpBytes}`,
    // Resource limits.
    `--pids-limit=${spec.pidsLimit}`,
    `--memory=${memory}`,
    // The sum of memory and swap, so this means no swap.
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
