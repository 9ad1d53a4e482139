import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { VirtualPath } from "@wink/filesystem";
import {
  errorCode,
  isAbandoned,
  removeHostTree,
  TimeSlices,
  temporaryName,
} from "@wink/filesystem/host";
import type { AllowedRoot } from "../mount/allowed-roots.js";
import { type Direction, ForeignChange, type Side, type Step } from "./apply-step.js";
import { fileParts } from "./host-state.js";
import { copyToFile, createFile, flushFiles, readWhole, syncDirectory } from "./journal-files.js";
import {
  type JournalSteps,
  type StoredSide,
  type StoredStep,
  type StoredTime,
  storedRoot,
} from "./journal-steps.js";

/**
 * The phase is part of the directory's name, so that a phase change is a single rename. `staging` is still being
 * written and is ignored, `pending` must be finished or undone, `done` can be undone, `undoing` must be undone
 * completely.
 */
export type Phase = "staging" | "pending" | "done" | "undoing";

const NAME = /^(\.wink-tmp-[0-9a-f-]+)~([0-9a-f]{32})\.(staging|pending|done|undoing)$/;
/** How many applies stay undoable. */
export const MAX_DONE = 20;

/** The tokens of the journals that this process is working on. */
const active = new Set<string>();

export function newUndoToken(): string {
  return randomBytes(16).toString("hex");
}

export interface CreateJournalOptions {
  /** @default a new one */
  readonly undoToken?: string | undefined;
  /** Called with the number of steps that are on the disk. @default not called */
  readonly onProgress?: ((count: number) => void) | undefined;
}

/** Everything that is needed to finish or to undo one apply, also after a crash. */
export class ApplyJournal {
  readonly token: string;
  readonly #directory: string;
  #owner: string;
  #phase: Phase;

  private constructor(directory: string, owner: string, token: string, phase: Phase) {
    this.#directory = directory;
    this.#owner = owner;
    this.token = token;
    this.#phase = phase;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /**
   * Writes the journal to disk. After this returns, an apply that crashes is finished or undone by the next process.
   */
  static async create(
    directory: string,
    { steps, times }: JournalSteps,
    roots: readonly AllowedRoot[],
    { undoToken: token = newUndoToken(), onProgress }: CreateJournalOptions = {},
  ): Promise<ApplyJournal> {
    const journal = new ApplyJournal(directory, temporaryName(), token, "staging");
    active.add(token);
    try {
      mkdirSync(journal.#path, { mode: 0o700 });
      const slices = new TimeSlices();
      const stored: StoredStep[] = [];
      for (const [index, step] of steps.entries()) {
        stored.push(await journal.#store(step, index, roots));
        if (slices.isOver()) await slices.pause();
      }
      const content = {
        version: 1,
        steps: stored,
        times: times.map(({ root, ...time }) => ({ ...storedRoot(root, roots), ...time })),
      };
      createFile(join(journal.#path, "journal.json"), [Buffer.from(JSON.stringify(content))]);
      const files = readdirSync(journal.#path).map((name) => join(journal.#path, name));
      await flushFiles(files, (count) =>
        onProgress?.(Math.floor((count / files.length) * steps.length)),
      );
      syncDirectory(journal.#path);
      journal.enter("pending");
      return journal;
    } catch (error) {
      await journal.discard();
      throw error;
    }
  }

  static list(directory: string): ApplyJournal[] {
    return readdirSync(directory).flatMap((name) => {
      const [, owner, token, phase] = NAME.exec(name) ?? [];
      if (owner === undefined || token === undefined) return [];
      // The pattern allows no other phases.
      return [new ApplyJournal(directory, owner, token, phase as Phase)];
    });
  }

  /** Whether no running process works on the journal. */
  get isAbandoned(): boolean {
    if (active.has(this.token)) return false;
    const own = temporaryName();
    const isOurs =
      this.#owner.slice(0, this.#owner.lastIndexOf("-")) === own.slice(0, own.lastIndexOf("-"));
    return isOurs || isAbandoned(this.#owner, this.modifiedAtMs);
  }

  get modifiedAtMs(): number {
    return statSync(this.#path).mtimeMs;
  }

  /** Loads the steps. Returns `undefined` when one of them needs a root that is not in `roots`. */
  load(roots: readonly AllowedRoot[]): JournalSteps | undefined {
    const text = readWhole(join(this.#path, "journal.json")).toString();
    // No validation: the directory is private, so only `create` wrote this file. Earlier versions stored no times.
    const { steps, times = [] } = JSON.parse(text) as {
      readonly steps: readonly StoredStep[];
      readonly times?: readonly StoredTime[];
    };
    const find = ({ root, identity }: Pick<StoredStep, "root" | "identity">) =>
      roots.find((each) => each.canonical === root && each.identity === identity)?.root;
    const found: Step[] = [];
    for (const stored of steps) {
      const { identity: _, path, before, after, ...step } = stored;
      const root = find(stored);
      if (root === undefined) return undefined;
      found.push({
        ...step,
        root,
        path: path as VirtualPath,
        before: this.#load(before),
        after: this.#load(after),
      });
    }
    return {
      steps: found,
      times: times.flatMap((stored) => {
        const { path, before, after } = stored;
        const root = find(stored);
        return root ? [{ root, path: path as VirtualPath, before, after }] : [];
      }),
    };
  }

  /** Makes this process the owner and changes the phase, with one rename. */
  enter(phase: Phase): void {
    this.#moveTo(phase);
    syncDirectory(this.#directory);
    active.add(this.token);
  }

  /** Takes over a dead process's journal. Returns `false` when another process did so first. */
  claim(): boolean {
    try {
      this.enter(this.#phase);
      return true;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    }
  }

  /** Marks the journal as no longer in use by this process. */
  release(): void {
    active.delete(this.token);
  }

  /** Deletes the journal. After the rename to `staging` it is ignored, even if its files cannot be deleted now. */
  async discard(): Promise<void> {
    try {
      if (this.#phase !== "staging") this.#moveTo("staging");
      // The next process tries again.
      await removeHostTree(this.#path).catch(() => {});
    } finally {
      this.release();
    }
  }

  /** Deletes all but the newest `MAX_DONE` finished journals. Ignores errors. */
  static async prune(directory: string): Promise<void> {
    try {
      const done = ApplyJournal.list(directory).filter(({ phase }) => phase === "done");
      const aged = done.map((journal) => ({ journal, at: journal.modifiedAtMs }));
      for (const { journal } of aged.sort((a, b) => b.at - a.at).slice(MAX_DONE))
        await journal.discard();
    } catch {
      // The next apply tries again.
    }
  }

  get #path(): string {
    return this.#pathOf(this.#owner, this.#phase);
  }

  #pathOf(owner: string, phase: Phase): string {
    return join(this.#directory, `${owner}~${this.token}.${phase}`);
  }

  #moveTo(phase: Phase): void {
    const owner = temporaryName();
    renameSync(this.#path, this.#pathOf(owner, phase));
    this.#owner = owner;
    this.#phase = phase;
  }

  async #store(step: Step, index: number, roots: readonly AllowedRoot[]): Promise<StoredStep> {
    const { root, path, workspacePath, temporary } = step;
    return {
      ...storedRoot(root, roots),
      path,
      workspacePath,
      temporary,
      before: await this.#storeSide(step, "before", `${index}.before`),
      after: await this.#storeSide(step, "after", `${index}.after`),
    };
  }

  async #storeSide(step: Step, direction: Direction, blob: string): Promise<StoredSide> {
    const side = step[direction];
    if (side.kind !== "file") return side;
    const { parts, ...stored } = side;
    const content = parts();
    if (!side.isLarge && Symbol.iterator in content) createFile(join(this.#path, blob), content);
    // A large content was hashed when the apply was planned, and is read again now.
    else if ((await copyToFile(join(this.#path, blob), content)) !== side.hash)
      throw new ForeignChange(step, "changed");
    return { ...stored, blob };
  }

  #load(side: StoredSide): Side {
    if (side.kind !== "file") return side;
    const { blob, ...rest } = side;
    // `#path` is read at call time, because the directory is renamed on each phase change.
    return {
      ...rest,
      parts: () =>
        rest.isLarge ? fileParts(join(this.#path, blob)) : [readWhole(join(this.#path, blob))],
    };
  }
}
