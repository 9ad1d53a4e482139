import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { VirtualPath } from "@wink/filesystem";
import { errorCode, isAbandoned, removeHostTreeNow, temporaryName } from "@wink/filesystem/host";
import type { AllowedRoot } from "../mount/allowed-roots.js";
import type { LinkSide, Side, Step } from "./apply-step.js";

/**
 * The phase is part of the directory's name, so that a phase change is a single rename. `staging` is still being
 * written and is ignored, `pending` must be finished or undone, `done` can be undone, `undoing` must be undone
 * completely.
 */
export type Phase = "staging" | "pending" | "done" | "undoing";

type StoredSide =
  | { readonly kind: "absent" }
  | { readonly kind: "directory"; readonly mode: number }
  | {
      readonly kind: "file";
      readonly hash: string;
      readonly mode: number;
      readonly uid?: number | undefined;
      readonly gid?: number | undefined;
      readonly modifiedAtMs?: number | undefined;
      readonly blob: string;
    }
  | LinkSide;

interface StoredStep {
  readonly root: string;
  readonly identity: string;
  readonly path: string;
  readonly workspacePath: string;
  readonly temporary: string;
  readonly before: StoredSide;
  readonly after: StoredSide;
}

const NAME = /^(\.wink-tmp-[0-9a-f-]+)~([0-9a-f]{32})\.(staging|pending|done|undoing)$/;
/** How many applies stay undoable. */
export const MAX_DONE = 20;

/** The tokens of the journals that this process is working on. */
const active = new Set<string>();

export function newUndoToken(): string {
  return randomBytes(16).toString("hex");
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

  /** Writes the journal to disk. Once this returns, a crash leads to a finish or an undo. */
  static create(
    directory: string,
    steps: readonly Step[],
    roots: readonly AllowedRoot[],
    token = newUndoToken(),
  ): ApplyJournal {
    const journal = new ApplyJournal(directory, temporaryName(), token, "staging");
    active.add(token);
    try {
      mkdirSync(journal.#path, { mode: 0o700 });
      const stored = steps.map((step, index) => journal.#store(step, index, roots));
      journal.#write("journal.json", Buffer.from(JSON.stringify({ version: 1, steps: stored })));
      syncDirectory(journal.#path);
      journal.enter("pending");
      return journal;
    } catch (error) {
      journal.discard();
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
  steps(roots: readonly AllowedRoot[]): Step[] | undefined {
    const text = readWhole(join(this.#path, "journal.json")).toString();
    // No validation: the directory is private, so only `create` wrote this file.
    const { steps } = JSON.parse(text) as { readonly steps: readonly StoredStep[] };
    const found: Step[] = [];
    for (const { root: canonical, identity, path, before, after, ...step } of steps) {
      const allowed = roots.find(
        (root) => root.canonical === canonical && root.identity === identity,
      );
      if (allowed === undefined) return undefined;
      found.push({
        ...step,
        root: allowed.root,
        path: path as VirtualPath,
        before: this.#load(before),
        after: this.#load(after),
      });
    }
    return found;
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
  discard(): void {
    try {
      if (this.#phase !== "staging") this.#moveTo("staging");
      attempt(() => removeHostTreeNow(this.#path));
    } finally {
      this.release();
    }
  }

  /** Deletes all but the newest `MAX_DONE` finished journals. Ignores errors. */
  static prune(directory: string): void {
    attempt(() => {
      const done = ApplyJournal.list(directory).filter(({ phase }) => phase === "done");
      const aged = done.map((journal) => ({ journal, at: journal.modifiedAtMs }));
      for (const { journal } of aged.sort((a, b) => b.at - a.at).slice(MAX_DONE)) journal.discard();
    });
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

  #store(step: Step, index: number, roots: readonly AllowedRoot[]): StoredStep {
    const { root, path, workspacePath, temporary } = step;
    const allowed = roots.find((each) => each.root === root);
    if (allowed === undefined) throw new Error("the root of a step is not open");
    return {
      root: allowed.canonical,
      identity: allowed.identity,
      path,
      workspacePath,
      temporary,
      before: this.#storeSide(step.before, `${index}.before`),
      after: this.#storeSide(step.after, `${index}.after`),
    };
  }

  #storeSide(side: Side, blob: string): StoredSide {
    if (side.kind !== "file") return side;
    const { read, ...stored } = side;
    this.#write(blob, read());
    return { ...stored, blob };
  }

  #load(side: StoredSide): Side {
    if (side.kind !== "file") return side;
    const { blob, ...rest } = side;
    // `#path` is read at call time, because the directory is renamed on each phase change.
    return { ...rest, read: () => readWhole(join(this.#path, blob)) };
  }

  #write(name: string, bytes: Uint8Array): void {
    const path = join(this.#path, name);
    writeFileSync(path, bytes, { mode: 0o600, flag: "wx", flush: true });
  }
}

/** The content of a file. Given a path, Node's `readFileSync` leaves the file open when `fstat` fails. */
function readWhole(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncDirectory(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function attempt(body: () => void): void {
  try {
    body();
  } catch {
    // The next `prune` tries again.
  }
}
