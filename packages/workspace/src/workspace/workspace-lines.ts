import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ProcessLock, removeHostTree } from "@wink/filesystem/host";
import { WorkspaceError } from "../error/workspace-error.js";
import type { Workspace } from "./workspace.js";
import type { OpenWorkspaceOptions } from "./workspace-options.js";
import { makePlace, placeIn, type WorkspacePlace } from "./workspace-place.js";
import { WorkspaceRun } from "./workspace-run.js";
import { runName } from "./workspace-runs.js";

type Open = (place: WorkspacePlace, options: OpenWorkspaceOptions) => Promise<Workspace>;

/** The lines of a workspace: copies of the same directory with the work of one run each. */
export interface WorkspaceLines {
  /** The lines of ended runs: results that could not be merged, and those of killed runs. Oldest first. */
  list(): readonly string[];
  /** Opens a line as a workspace of the same directory. */
  open(name: string): Promise<Workspace>;
  /** Deletes a line with its changes. */
  delete(name: string): Promise<void>;
}

export class LineStore implements WorkspaceLines {
  readonly #place: WorkspacePlace;
  readonly #open: Open;

  constructor(place: WorkspacePlace, open: Open) {
    this.#place = place;
    this.#open = open;
  }

  list(): readonly string[] {
    const active = new Set(this.#active());
    return this.#names().filter((name) => !active.has(name));
  }

  async open(name: string): Promise<Workspace> {
    return await this.#open(this.#find(name), { create: false });
  }

  async delete(name: string): Promise<void> {
    await removeHostTree(this.#find(name).home);
  }

  /** Starts a run on the shared workspace if no run is active, else on a new line. */
  async start(shared: Workspace, options: OpenWorkspaceOptions): Promise<WorkspaceRun> {
    const own = new ProcessLock(this.#place.runLock);
    if (own.tryAcquire()) {
      if (this.#active().length === 0) return new WorkspaceRun(shared, shared, own, undefined);
      own.release();
    }
    return await this.startApart(shared, options);
  }

  /** Starts a run on a new line. */
  async startApart(shared: Workspace, options: OpenWorkspaceOptions): Promise<WorkspaceRun> {
    const name = runName();
    const place = this.#at(name);
    makePlace(place);
    const lock = new ProcessLock(place.runLock);
    lock.tryAcquire();
    try {
      return new WorkspaceRun(shared, await this.#open(place, options), lock, name);
    } catch (error) {
      lock.release();
      await removeHostTree(place.home);
      throw error;
    }
  }

  #at(name: string): WorkspacePlace {
    return placeIn(this.#place.directory, join(this.#place.lines, name));
  }

  #find(name: string): WorkspacePlace {
    if (this.#names().includes(name)) return this.#at(name);
    throw new WorkspaceError("UNKNOWN_LINE", {
      subject: name,
      reason: "the workspace has no line with this name. `lines.list()` lists them.",
    });
  }

  #names(): readonly string[] {
    return readdirSync(this.#place.lines).sort();
  }

  #active(): readonly string[] {
    return this.#names().filter(
      (name) => new ProcessLock(this.#at(name).runLock).holder !== undefined,
    );
  }
}
