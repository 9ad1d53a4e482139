import type { HostMount, MountProgress } from "@wink/filesystem/host";
import type { ContainerEngine } from "./container-engine.js";

/** What `PodmanSandboxSection` can be told. Everything can be left out. */
export interface PodmanConfig {
  /** An image that is on this machine; none is ever pulled. @default "docker.io/library/python:3.12-slim" */
  readonly image?: string | undefined;
  /** Files of this machine to copy in. @default none */
  readonly mounts?: readonly HostMount[] | undefined;
  /** The directories that may be mounted from and written back to. @default none */
  readonly allowedHostRoots?: readonly string[] | undefined;
  /**
   * What a container sees of the `.git` of a directory that is mounted: nothing, the repository itself but
   * read-only (with its whole history, whatever the mount leaves out, and with what its config holds), or a copy
   * that it may change. None is ever written back. @default "hidden"
   */
  readonly git?: "hidden" | "read-only" | "copy" | undefined;
  /** Processors, in parts if need be. @default 1 */
  readonly cpuLimit?: number | undefined;
  /** Bytes, or such as `512m` or `1g`. There is no swap beside it. @default "1g" */
  readonly memoryLimit?: number | string | undefined;
  /** Most processes and threads at a time. @default 256 */
  readonly pidsLimit?: number | undefined;
  /**
   * Most bytes in the workspace, or such as `2g`. One file is held to it by the kernel; the sum is looked at while a
   * command runs, so it can be passed for moments. @default "2g"
   */
  readonly diskLimit?: number | string | undefined;
  /** Most files and directories in the workspace, looked at as `diskLimit` is. @default 200_000 */
  readonly maxFiles?: number | undefined;
  /** @default false: there is no network but the container's own loopback */
  readonly networkEnabled?: boolean | undefined;
  /** How long a command may run, and the most that a call may ask for. @default 120_000 */
  readonly timeoutMs?: number | undefined;
  /** How long a container may live, whatever becomes of this process. The next command gets a new one. @default 3_600_000 */
  readonly maxLifetimeMs?: number | undefined;
  /** Where the workspace is, for the tools and in the container. @default "/workspace" */
  readonly workspaceRoot?: string | undefined;
  /** Variables of every command. Others on this machine can see them while a command is started. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** `uid` or `uid:gid`, never 0. @default the user of this process, or 65532 where that is root */
  readonly user?: string | undefined;
  /** A program that understands Podman's words, or an engine of one's own. @default "podman" */
  readonly engine?: string | ContainerEngine | undefined;
  /** A connection of the engine to another machine that has the same files. @default this machine */
  readonly connection?: string | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** Where workspaces are kept, private to the user. @default a directory of the user's in the system's temporary one */
  readonly overlayRoot?: string | undefined;
  /** Whether processes that a command leaves behind go on after it. They end with a restore, a rollback and the section. @default false */
  readonly keepBackground?: boolean | undefined;
  /** Whether a command that does not exit with 0 is a failure, which takes back what it changed. @default false: it is an answer */
  readonly rollbackOnFailure?: boolean | undefined;
  /** Most bytes that a command may print on both streams together; one that goes on is ended. @default 8_388_608 (8 MiB) */
  readonly maxOutputBytes?: number | undefined;
  /** Hears what takes its time: the copy of the mounts, and the start of a container. @default nobody does */
  readonly onProgress?: ((progress: SandboxProgress) => void) | undefined;
}

export type SandboxProgress =
  | ({ readonly stage: "mounting" } & MountProgress)
  | {
      readonly stage: "starting" | "probing" | "ready";
      /** Since the start of the container began. */
      readonly elapsedMs: number;
    };

export const DEFAULT_IMAGE = "docker.io/library/python:3.12-slim";
