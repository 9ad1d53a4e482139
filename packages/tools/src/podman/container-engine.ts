import type { Readable, Writable } from "node:stream";

/** What an engine can do on this machine. */
export interface EngineReport {
  /** `podman` or `docker`: which dialect the command line speaks. */
  readonly kind: "podman" | "docker";
  readonly version: string;
  readonly rootless: boolean;
  readonly runtime: string;
  /** `undefined` when the engine does not say. */
  readonly cgroupVersion: 1 | 2 | undefined;
  /** The cgroup controllers that it can use; `undefined` when it does not say. */
  readonly controllers: readonly string[] | undefined;
  /** Where its filter of system calls is, on this machine; `undefined` when it does not say. */
  readonly seccompProfilePath?: string | undefined;
  readonly hasImage: boolean;
}

export interface BindMount {
  /** Absolute, on the host. */
  readonly source: string;
  /** Absolute, in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

/** A container that is to be started. */
export interface ContainerSpec {
  readonly name: string;
  /** A directory of the host where the engine is called: engines leave notes there, such as that memory ran out. */
  readonly clientDirectory: string;
  readonly image: string;
  /** What runs as PID 1. */
  readonly command: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly BindMount[];
  readonly workdir: string;
  /** `uid:gid` of PID 1. Commands run as another user. */
  readonly user: string;
  /** Whether the user of the host has the same number inside. Rootless Podman only. */
  readonly keepId: boolean;
  /** A file with a filter of system calls. @default the engine's own */
  readonly seccompProfile?: string | undefined;
  readonly networkEnabled: boolean;
  readonly cpuLimit: number;
  readonly memoryLimitBytes: number;
  readonly pidsLimit: number;
  readonly maxFileBytes: number;
  readonly tmpBytes: number;
  /** Most processes by the user's own limit, where a cgroup does not count them. */
  readonly maxUserProcesses: number;
}

export interface ExecRequest {
  readonly argv: readonly string[];
  /** `uid:gid` */
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command gets a standard input. The caller must end it. */
  readonly hasStdin: boolean;
  /** As for the container. */
  readonly clientDirectory: string;
  /** Whether it may run on when this process has nothing else to do and exits. @default false */
  readonly isBackground?: boolean | undefined;
}

/** A running command. The caller must read both streams. */
export interface RunningExec {
  /** Only when one was asked for. */
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the client has ended, in any way. Its exit code says nothing certain about the command. */
  readonly ended: Promise<{ readonly exitCode: number | undefined }>;
  /** Ends the client. What runs in the container continues. */
  abandon(): void;
}

export interface ListedContainer {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Starts containers and runs commands in them.
 *
 * An implementer promises that nothing is pulled, that no value given here is taken for an option of a
 * command line, and that nothing of the host's environment reaches a container. What a section promises
 * of a container is not taken on trust: it is looked at from inside before the first command.
 */
export interface ContainerEngine {
  /** Short name for logs and messages, such as `podman`. */
  readonly name: string;
  /** Rejects with a `PodmanError` when the engine cannot be used. */
  inspect(image: string): Promise<EngineReport>;
  /** Resolves to the id of a running container. */
  start(spec: ContainerSpec, report: EngineReport): Promise<string>;
  exec(id: string, request: ExecRequest): RunningExec;
  /** Kills and removes containers. One that is not there is fine. */
  remove(ids: readonly string[]): Promise<void>;
  /** The same while the process exits, when nothing can be waited for. */
  removeNow(ids: readonly string[]): void;
  /** Every container, running or not, that has the label. */
  list(label: string): Promise<readonly ListedContainer[]>;
}
