import type { HostMount, MountProgress } from "@wink/workspace";

/** Configures a `PodmanSandboxSection`. Every option is optional. */
export interface PodmanConfig {
  /** An image that exists on this machine. Images are never pulled. @default "docker.io/library/python:3.12-slim" */
  readonly image?: string | undefined;
  /** Host files to copy into the workspace. @default none */
  readonly mounts?: readonly HostMount[] | undefined;
  /** Host directories that mounts may read from and changes may be applied to. @default none */
  readonly allowedHostRoots?: readonly string[] | undefined;
  /**
   * How a container sees the `.git` of a mounted directory: not at all; the repository itself, read-only, with its
   * whole history, its config, and files that the mount excludes; or a copy that it may change. Changes in `.git` are
   * never written back. @default "hidden"
   */
  readonly git?: "hidden" | "read-only" | "copy" | undefined;
  /** Number of CPUs. Fractions such as `0.5` are allowed. @default 1 */
  readonly cpuLimit?: number | undefined;
  /** Bytes, or a size such as `512m` or `1g`. There is no additional swap. @default "1g" */
  readonly memoryLimit?: number | string | undefined;
  /** Maximum number of concurrent processes and threads. @default 256 */
  readonly pidsLimit?: number | undefined;
  /**
   * Maximum size of the workspace in bytes, or a size such as `2g`. The kernel enforces it for each single file. The
   * total is checked periodically while a command runs, so it can be exceeded for a short time. @default "2g"
   */
  readonly diskLimit?: number | string | undefined;
  /** Maximum number of files and directories in the workspace, checked in the same way as `diskLimit`. @default 200_000 */
  readonly maxFiles?: number | undefined;
  /** Without it a container has only its own loopback device. @default false */
  readonly networkEnabled?: boolean | undefined;
  /** The timeout of a command. A call can only shorten it. @default 120_000 */
  readonly timeoutMs?: number | undefined;
  /** Maximum lifetime of a container, even if this process dies. The next command gets a new container. @default 3_600_000 */
  readonly maxLifetimeMs?: number | undefined;
  /** The path of the workspace, for the tools and in the container. @default "/workspace" */
  readonly workspaceRoot?: string | undefined;
  /** Environment variables of every command. Other users of this machine can see them while a command starts. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** `uid` or `uid:gid`, never 0. @default the user of this process, or 65532 if that is root */
  readonly user?: string | undefined;
  /** A program with Podman's command line: a name or an absolute path. @default "podman" */
  readonly engine?: string | undefined;
  /** The engine's connection to another machine that has the same files. @default this machine */
  readonly connection?: string | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** The directory for workspaces, private to the user. @default a directory of the user in the system's temporary directory */
  readonly overlayRoot?: string | undefined;
  /** Whether background processes of a command keep running after it. A restore, a rollback or closing the section ends them. @default false */
  readonly keepBackground?: boolean | undefined;
  /** Whether a non-zero exit code is a failure, which rolls back the command's changes. If not, it is a normal answer. @default false */
  readonly rollbackOnFailure?: boolean | undefined;
  /** Maximum output of a command in bytes, stdout and stderr together. A command that prints more is killed. @default 8_388_608 (8 MiB) */
  readonly maxOutputBytes?: number | undefined;
  /** Receives the progress of slow steps: copying the mounts and starting a container. @default none */
  readonly onProgress?:
    | ((
        progress:
          | ({ readonly stage: "mounting" } & MountProgress)
          | {
              readonly stage: "starting" | "probing" | "ready";
              /** Time since the container start began. */
              readonly elapsedMs: number;
            },
      ) => void)
    | undefined;
}

export const DEFAULT_IMAGE = "docker.io/library/python:3.12-slim";
