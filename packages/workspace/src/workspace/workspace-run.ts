import type { ChangeSet } from "@wink/filesystem";
import type { ProcessLock } from "@wink/filesystem/host";
import type { ApplyConflict } from "../error/apply-error.js";
import type { Workspace } from "./workspace.js";

/** Where the result of a run is. */
export interface RunOutcome {
  /**
   * `none`: it changed nothing. `workspace`: it worked on the workspace. `merged`: its copy was merged into the
   * workspace. `line`: its copy stays separate, because of conflicts.
   */
  readonly kind: "none" | "workspace" | "merged" | "line";
  /** The name of the line. */
  readonly line?: string | undefined;
  /** The files that the run and the workspace changed differently. */
  readonly conflicts: readonly ApplyConflict[];
}

/** One run on a workspace, with files that no other run changes. End it with `finish`, or `close` it. */
export class WorkspaceRun implements AsyncDisposable {
  /** The workspace to work on: the shared one, or a separate line. */
  readonly workspace: Workspace;
  /** The name of the separate line. `undefined` if it works on the shared workspace. */
  readonly line: string | undefined;
  readonly #shared: Workspace;
  readonly #lock: ProcessLock;
  #isOpen = true;

  /** Called by `Workspace.startRun`. */
  constructor(
    shared: Workspace,
    workspace: Workspace,
    lock: ProcessLock,
    line: string | undefined,
  ) {
    this.#shared = shared;
    this.workspace = workspace;
    this.line = line;
    this.#lock = lock;
  }

  /** The changes of this run. */
  async changes(): Promise<ChangeSet> {
    const changes = await this.workspace.changes();
    const touched = this.line === undefined ? this.workspace.touchedPaths : undefined;
    if (touched === undefined) return changes;
    return await changes.filter((path) =>
      touched.some((each) => path === each || path.startsWith(`${each}/`)),
    );
  }

  /** Merges the result into the workspace, or keeps it as a line, and ends the run. */
  async finish(): Promise<RunOutcome> {
    const { line } = this;
    const changes = await this.changes();
    if (line === undefined) {
      await this.close();
      return { kind: changes.isEmpty ? "none" : "workspace", conflicts: [] };
    }
    const { conflicts } = changes.isEmpty ? { conflicts: [] } : await this.#shared.merge(changes);
    await this.close();
    if (conflicts.length > 0) return { kind: "line", line, conflicts };
    await this.#shared.lines.delete(line);
    return { kind: changes.isEmpty ? "none" : "merged", conflicts };
  }

  /** Ends the run. Changes of a separate line stay there. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.line !== undefined) await this.workspace.close();
    this.#lock.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
