import { constants } from "node:os";
import type { Arming, Hits, Interposer } from "./interposer.test.support.js";
import { TRAITS } from "./interposer.test.support.js";
import { type Ending, endingOf, problemsOfEnding, showResult } from "./judge.test.support.js";
import { recoverMounted } from "./mount-operations.test.support.js";
import { type Operation, openWorkspace } from "./operations.test.support.js";
import {
  fingerprint,
  layOut,
  layOutside,
  leaksIn,
  manifest,
  openIn,
  type Place,
} from "./place.test.support.js";
import { prepareSwap, SWAPS, type Swap } from "./swaps.test.support.js";

/** An error that system calls return, once or from one call on. */
interface Fault {
  readonly name: string;
  readonly errno: number;
  readonly traits: number;
  readonly isLasting: boolean;
}

const { EIO, ENOSPC, EACCES, EMFILE, EROFS } = constants.errno;
/** Each error is only returned by calls that can return it. */
const ERRORS = [
  { code: "EIO", errno: EIO, traits: 0 },
  { code: "ENOSPC", errno: ENOSPC, traits: TRAITS.changes | TRAITS.writes },
  { code: "EACCES", errno: EACCES, traits: TRAITS.byName },
  { code: "EMFILE", errno: EMFILE, traits: TRAITS.opens },
  { code: "EROFS", errno: EROFS, traits: TRAITS.changes },
];
const FAULTS: readonly Fault[] = ERRORS.flatMap(({ code, errno, traits }) => [
  { name: `${code} once`, errno, traits, isLasting: false },
  { name: `${code} from then on`, errno, traits, isLasting: true },
]);

export type Attack = ({ readonly kind: "swap" } & Swap) | ({ readonly kind: "fault" } & Fault);

export const ATTACKS = {
  moments: SWAPS.map((swap): Attack => ({ kind: "swap", ...swap })),
  faults: FAULTS.map((fault): Attack => ({ kind: "fault", ...fault })),
} as const;

/** The result of an operation that is not attacked. */
export interface Undisturbed {
  readonly calls: number;
  readonly before: State;
  readonly after: State;
  readonly shown: string;
}

/** The content of the workspace and of the mounted directory. */
type State = readonly string[];

export interface Trial extends Hits {
  readonly problems: readonly string[];
}

/** Runs trials of operations in one place. */
export class Trials {
  readonly #place: Place;
  readonly #interposer: Interposer;
  #outside: string;
  /** How many descriptors earlier trials have left open. */
  #openCount = 0;

  constructor(place: Place, interposer: Interposer) {
    this.#place = place;
    this.#interposer = interposer;
    layOutside(place);
    this.#outside = fingerprint(place.outside);
  }

  /** @throws if the operation fails although it is not attacked */
  async undisturbed(operation: Operation, traits: number): Promise<Undisturbed> {
    layOut(this.#place);
    const { run, close } = await operation.prepare(this.#place);
    const before = this.#state();
    const { ending, hits } = await this.#attack(run, { mode: "count", at: 0, traits });
    await close();
    if (ending.kind === "failed") throw ending.error;
    await this.#reopen();
    return { calls: hits.calls, before, after: this.#state(), shown: showResult(ending.result) };
  }

  /** Attacks an operation before its call number `at`. */
  async run(operation: Operation, attack: Attack, at: number, usual: Undisturbed): Promise<Trial> {
    layOut(this.#place);
    const { run, close } = await operation.prepare(this.#place);
    const { ending, hits } = await this.#attack(run, this.#arming(operation, attack, at));
    const problems = [...problemsOfEnding(ending, this.#place)];
    if (attack.kind === "fault" && hits.fired > 0)
      problems.push(...(await this.#judgeFault(operation, attack, ending, close, usual)));
    else problems.push(...problemsOfEnding(await endingOf(close), this.#place));
    return { ...hits, problems: [...problems, ...this.#judgeSurroundings()] };
  }

  #arming({ on, opensTree }: Operation, attack: Attack, at: number): Arming {
    if (attack.kind === "swap") {
      const isAllowed = !opensTree || !("." in attack.moves);
      const moves = isAllowed ? prepareSwap(attack, this.#place[on], this.#place) : [];
      const until = attack.reversed ? at + 1 : 0;
      return { mode: "swap", at, until, moves, traits: TRAITS.moment };
    }
    const { errno, traits, isLasting } = attack;
    return { mode: "fail", at, until: isLasting ? 0 : at + 1, errno, traits };
  }

  async #attack(
    run: () => Promise<unknown>,
    arming: Arming,
  ): Promise<{ readonly ending: Ending; readonly hits: Hits }> {
    this.#interposer.arm(arming);
    const ending = await endingOf(run);
    return { ending, hits: this.#interposer.disarm() };
  }

  /**
   * After reopening, the state must be old or new. It must be new if a success was reported. Later operations must
   * work.
   */
  async #judgeFault(
    operation: Operation,
    { errno }: Fault,
    ending: Ending,
    close: () => Promise<void>,
    usual: Undisturbed,
  ): Promise<readonly string[]> {
    const problems: string[] = [];
    const closed = await endingOf(close);
    problems.push(...problemsOfEnding(closed, this.#place));
    const reopened = await endingOf(() => this.#reopen());
    if (reopened.kind === "failed") problems.push(`reopening failed: ${String(reopened.error)}`);
    const state = this.#state();
    const isNew = isSame(state, usual.after);
    if (ending.kind === "succeeded") {
      if (!isNew) problems.push(`a success without its effect: ${difference(state, usual.after)}`);
      const mayOmit = operation.skipsUnreadable && errno === EACCES;
      if (showResult(ending.result) !== usual.shown && !mayOmit)
        problems.push(`another result: ${showResult(ending.result).slice(0, 300)}`);
    } else if (operation.leaves === "old or new tree") {
      if (!isNew && !isSame(state, usual.before))
        problems.push(
          `neither old nor new: from old ${difference(state, usual.before)}; from new ${difference(state, usual.after)}`,
        );
    } else if (operation.leaves === "old or new files") {
      const known = new Set([...usual.before, ...usual.after]);
      const torn = state.filter((line) => !known.has(line));
      if (torn.length > 0) problems.push(`torn: ${torn.join("; ").slice(0, 300)}`);
    }
    return problems;
  }

  /** Opens everything like the next process would, and uses it. */
  async #reopen(): Promise<void> {
    await recoverMounted(this.#place);
    const filesystem = await openWorkspace(this.#place);
    try {
      await filesystem.write("probe.txt", "probe");
      const snapshot = await filesystem.snapshot();
      await filesystem.write("probe.txt", "changed");
      await filesystem.restore(snapshot);
      if ((await filesystem.read("probe.txt")).content !== "probe") throw new Error("no restore");
      await filesystem.delete("probe.txt");
      const { damaged } = await filesystem.verify();
      if (damaged.length > 0) throw new Error(`damaged: ${damaged[0]?.reason}`);
    } finally {
      await filesystem.close();
    }
  }

  #state(): State {
    const { workspace, host } = this.#place;
    return [...manifest(workspace), ...manifest(host).map((line) => `host: ${line}`)];
  }

  #judgeSurroundings(): readonly string[] {
    const problems: string[] = [];
    const now = fingerprint(this.#place.outside);
    if (now !== this.#outside) {
      const { outside } = this.#place;
      problems.push(`outside changed: ${difference(now.split("\n"), this.#outside.split("\n"))}`);
      layOutside(this.#place);
      this.#outside = fingerprint(outside);
    }
    const open = openIn(this.#place);
    if (open.length > this.#openCount)
      problems.push(`left open: ${open.filter((path) => !path.endsWith(" (deleted)")).join(", ")}`);
    this.#openCount = open.length;
    const leaks = leaksIn(this.#place);
    if (leaks.length > 0) problems.push(`from outside, in the files: ${leaks.join(", ")}`);
    return problems;
  }
}

function isSame(a: State, b: State): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

function difference(found: readonly string[], wanted: readonly string[]): string {
  const more = found
    .filter((line) => !wanted.includes(line))
    .map((line) => `+${line.slice(0, 120)}`);
  const less = wanted
    .filter((line) => !found.includes(line))
    .map((line) => `-${line.slice(0, 120)}`);
  return [...more, ...less].slice(0, 8).join("; ");
}
