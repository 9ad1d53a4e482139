import type {
  FilesystemSnapshot,
  SnapshotableFilesystem,
  StoredFilesystem,
  StoredFilesystemOptions,
} from "@wink/filesystem";
import type { HostFilesystemOptions } from "@wink/filesystem/host";
import type { JsonValue, Session } from "@wink/session";
import type { SessionLogOptions } from "@wink/session/jsonl";
import type { Agent, AgentWorkspace } from "../agent/agent.js";
import type { Redact } from "../transcript/transcript-parts.js";

/** The files of a run: a directory that the run opens, or a filesystem that the caller opened. */
export type RunFiles = RunOnHost | RunOnFilesystem;

export interface RunOnHost {
  /**
   * The directory in which the tools work. Each call is then committed in files and session together, also if the
   * process is killed.
   */
  readonly workspace: string;
  /** Limits, quotas and the paths that snapshots ignore. @default as for `HostFilesystem.open` */
  readonly hostOptions?:
    | Omit<HostFilesystemOptions, "fsync" | "readOnly" | "storeDirectory" | "takesOver">
    | undefined;
}

export interface RunOnFilesystem {
  /**
   * The filesystem in which the tools work, or a function that creates it for the session of the run. The run does not
   * close it.
   */
  readonly filesystem:
    | SnapshotableFilesystem
    | ((session: Session) => SnapshotableFilesystem | Promise<SnapshotableFilesystem>);
  /** The store that the states share with other runs and snapshots. @default `store` in the run's directory */
  readonly storeDirectory?: string | undefined;
  /**
   * Whether the files of an existing run are first restored to the state after its last call. Use it for a new
   * filesystem. @default false
   */
  readonly restoreFiles?: boolean | undefined;
  /** A snapshot in that store, which makes the first state cheap if no file has changed since. @default none */
  readonly near?: FilesystemSnapshot | undefined;
}

/** The files of a run in a store: they are in the store too. */
export interface RunInStore {
  /** Options of the files, such as limits, quotas, and the head that a new run starts with. @default none */
  readonly files?: Omit<StoredFilesystemOptions, "readOnly"> | undefined;
  /** Called for a new run, to write the files that it starts with. @default it starts with those of `files.from` */
  readonly fill?: ((filesystem: StoredFilesystem) => void | Promise<void>) | undefined;
}

export interface RunSettings<Output = unknown> {
  /** The id of a new run. @default a random UUID */
  readonly id?: string | undefined;
  /** The agent that `continue` runs, or its name for readers. @default none */
  readonly agent?: string | RunAgent<Output> | undefined;
  /** The agent's name for readers, if `agent` is an agent. @default none */
  readonly name?: string | undefined;
  /**
   * Creates the section with the files for the agent's prompt, for example
   * `VfsToolsSection.create({ session, filesystem, key: "workspace" })`. @default the agent has no workspace section
   */
  readonly section?:
    | ((
        session: Session,
        filesystem: SnapshotableFilesystem,
      ) => AgentWorkspace | Promise<AgentWorkspace>)
    | undefined;
  /** The name of this worker, for the log. @default none */
  readonly worker?: string | undefined;
  /**
   * The agent's parameters, after their validation. Ignored for an existing run, which has stored its own. @default
   * none
   */
  readonly params?: JsonValue | undefined;
  /** The model's name, for readers. @default none */
  readonly model?: string | undefined;
  /** Options of the session, such as slices, tags and a clock. @default as for `SessionLog.open` */
  readonly session?: Omit<SessionLogOptions, "fsync" | "returnTo" | "session"> | undefined;
  /** Whether the conversation is recorded. @default true */
  readonly transcript?: boolean | undefined;
  /**
   * Replaces texts before they are stored in the transcript. The run can then not be resumed. To redact what readers
   * see, use the option of `readRun`. @default texts are stored unchanged
   */
  readonly redact?: Redact | undefined;
  /** Whether the files are stored at the start, after each changing call, and before each rollback. @default true */
  readonly states?: boolean | undefined;
  /**
   * Whether each record is flushed to disk. Without it, a run survives a crash of the process but not a power cut.
   * @default false
   */
  readonly fsync?: boolean | undefined;
}

export type RunOptions<Output = unknown> = RunSettings<Output> & RunFiles;

/** An agent with any parameters: the run passes the parameters in its header. */
export type RunAgent<Output = unknown> = Pick<Agent<never, Output>, "prompt" | "settings">;

/** The options of a run in a store. */
export type StoredRunOptions<Output = unknown> = Omit<RunSettings<Output>, "fsync"> & RunInStore;
