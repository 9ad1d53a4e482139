import type { Readable, Writable } from "node:stream";

/** The capabilities of an engine on this machine. */
export interface EngineReport {
  /** Whose command-line options the engine understands. */
  readonly kind: "podman" | "docker";
  readonly version: string;
  readonly rootless: boolean;
  readonly runtime: string;
  /** `undefined` if the engine does not report it. */
  readonly cgroupVersion: 1 | 2 | undefined;
  /** The cgroup controllers that it can use; `undefined` if it does not report them. */
  readonly controllers: readonly string[] | undefined;
  /** The host path of its seccomp profile. @default unknown */
  readonly seccompProfilePath?: string | undefined;
  readonly hasImage: boolean;
}

export interface BindMount {
  /** Absolute path on the host. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

/** Describes a container to start. */
export interface ContainerSpec {
  readonly name: string;
  /** The host directory to run the engine's client in. Engines write files there, for example when memory runs out. */
  readonly clientDirectory: string;
  readonly image: string;
  /** The command that runs as PID 1. */
  readonly command: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly BindMount[];
  readonly workdir: string;
  /** `uid:gid` of PID 1. Commands run as another user. */
  readonly user: string;
  /** Whether the host user keeps its uid in the container. Rootless Podman only. */
  readonly keepId: boolean;
  /** The path of a seccomp profile. @default the engine's own */
  readonly seccompProfile?: string | undefined;
  readonly networkEnabled: boolean;
  readonly cpuLimit: number;
  readonly memoryLimitBytes: number;
  readonly pidsLimit: number;
  readonly maxFileBytes: number;
  readonly tmpBytes: number;
  /** The `nproc` limit of the user. It matters where no cgroup limits the number of processes. */
  readonly maxUserProcesses: number;
}

export interface ExecRequest {
  readonly argv: readonly string[];
  /** `uid:gid` */
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command gets a stdin. The caller must close it. */
  readonly hasStdin: boolean;
  /** The same directory as in `ContainerSpec`. */
  readonly clientDirectory: string;
  /** Whether this process may exit while the command still runs. @default false */
  readonly isBackground?: boolean | undefined;
}

/** A running command. The caller must read both streams. */
export interface RunningExec {
  /** Present if `hasStdin` was true. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the client has ended, for whatever reason. Its exit code is not reliably the command's. */
  readonly ended: Promise<{ readonly exitCode: number | undefined }>;
  /** Kills the client. The command continues in the container. */
  abandon(): void;
}

export interface ListedContainer {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Starts containers and runs commands in them.
 *
 * An implementation must never pull an image, must never let a value be parsed as a command-line option, and must
 * not pass the host's environment to a container. The section does not trust the isolation of a container: it checks
 * it from inside before the first command.
 */
export interface ContainerEngine {
  /** Short name for logs and messages, such as `podman`. */
  readonly name: string;
  /** Rejects with a `PodmanError` when the engine cannot be used. */
  inspect(image: string): Promise<EngineReport>;
  /** Resolves to the id of a running container. */
  start(spec: ContainerSpec, report: EngineReport): Promise<string>;
  exec(id: string, request: ExecRequest): RunningExec;
  /** Kills and removes containers. A container that does not exist is not an error. */
  remove(ids: readonly string[]): Promise<void>;
  /** Synchronous `remove`, for use while the process exits. */
  removeNow(ids: readonly string[]): void;
  /** Lists every container with the label, running or stopped. */
  list(label: string): Promise<readonly ListedContainer[]>;
}
