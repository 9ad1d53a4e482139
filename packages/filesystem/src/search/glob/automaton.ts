import type { MatchMeter } from "./match-meter.js";
import type { Program } from "./program.js";

/** When more states than this are cached, the cache is emptied. A state takes up to a few kilobytes. */
const MAX_STATES = 2_000;

/** One way to read the text so far: its position in the program, and what the rest of the text must not match. */
interface Thread {
  readonly position: number;
  /** States of the negative lookaheads that have begun and are undecided. */
  readonly forbidden: readonly State[];
}

/** All ways to read the text so far. States are created when a text first needs them. */
interface State {
  readonly id: number;
  readonly threads: readonly Thread[];
  /** A thread has matched, whatever follows. */
  readonly isMatched: boolean;
  /** The text matches if it ends here. */
  readonly matchesAtEnd: boolean;
  /** By class of the next character. */
  readonly next: (State | undefined)[];
}

const DEAD: State = { id: -1, threads: [], isMatched: false, matchesAtEnd: false, next: [] };
const NOTHING: readonly State[] = [];

/**
 * Runs any program over a text in one pass.
 *
 * States are built lazily and cached. Each character and each thread of a new state takes a step of the meter; when
 * the meter is empty the run stops without a match.
 */
export class Automaton {
  readonly #program: Program;
  readonly #meter: MatchMeter;
  #states = new Map<string, State>();
  #start: State | undefined;
  #nextId = 0;

  constructor(program: Program, meter: MatchMeter) {
    this.#program = program;
    this.#meter = meter;
  }

  /** Whether the text from `from` to its end matches. */
  matches(text: string, from: number): boolean {
    return this.#run(text, from).matchesAtEnd;
  }

  /** Whether a text that starts with `prefix` may match. `false` means that none does; `true` may be wrong. */
  canContinue(prefix: string): boolean {
    return this.#run(prefix, 0) !== DEAD || this.#meter.left < 0;
  }

  #run(text: string, from: number): State {
    const { classes } = this.#program;
    let state = this.#startState();
    this.#meter.left -= (text.length - from) >> CHARACTERS_PER_STEP_LOG2;
    for (let index = from; index < text.length && state !== DEAD; index++) {
      let code = text.charCodeAt(index);
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(index) ?? code;
        if (code > 0xffff) index++;
      }
      const symbol = classes.of(code);
      const known = state.next[symbol];
      if (known !== undefined) state = known;
      else if (this.#meter.left < 0) return DEAD;
      else state = this.#advance(state, symbol);
    }
    return state;
  }

  #startState(): State {
    if (this.#start === undefined || this.#states.size > MAX_STATES) {
      this.#states = new Map();
      this.#start = this.#build((builder) => builder.follow(0, NOTHING, { atStart: true }));
    }
    return this.#start;
  }

  #advance(state: State, symbol: number): State {
    const next = this.#build((builder) => {
      for (const { position, forbidden } of state.threads)
        this.#step(builder, position, forbidden, symbol);
    });
    state.next[symbol] = next;
    return next;
  }

  #step(
    builder: StateBuilder,
    position: number,
    forbidden: readonly State[],
    symbol: number,
  ): void {
    const instruction = this.#program.instructions[position];
    const isConsumed =
      instruction?.type === "consume" && this.#program.classes.isIn(instruction.set, symbol);
    // A lookahead that has matched stays matched; it waits for its own lookaheads.
    if (!isConsumed && instruction?.type !== "match") return;
    const still = this.#advanceAll(forbidden, symbol);
    if (still === undefined) return;
    if (isConsumed) builder.follow(position + 1, still, {});
    else builder.add(position, still);
  }

  /** `undefined` when one of the lookaheads matched. */
  #advanceAll(forbidden: readonly State[], symbol: number): readonly State[] | undefined {
    if (forbidden.length === 0) return NOTHING;
    const still: State[] = [];
    for (const state of forbidden) {
      const next = state.next[symbol] ?? this.#advance(state, symbol);
      if (next.isMatched) return undefined;
      if (next !== DEAD && !still.includes(next)) still.push(next);
    }
    return still.sort((one, other) => one.id - other.id);
  }

  #build(fill: (builder: StateBuilder) => void): State {
    const builder = new StateBuilder(this.#program, this.#meter, (position) =>
      this.#build((sub) => sub.follow(position, NOTHING, {})),
    );
    fill(builder);
    if (builder.threads.size === 0) return DEAD;
    const key = [...builder.threads.keys()].sort().join(" ");
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state = { id: this.#nextId++, ...builder.finish(), next: [] };
    this.#states.set(key, state);
    return state;
  }
}

const CHARACTERS_PER_STEP_LOG2 = 3;

interface Place {
  /** Nothing has been read yet. */
  readonly atStart?: boolean;
  /** A preceding `(?=.)` requires that the text does not end here. */
  readonly notEnd?: boolean;
}

type ThreadKey = number | string;

/** A number if possible, because strings make hostile patterns several times slower. */
function threadKey(position: number, forbidden: readonly State[]): ThreadKey {
  return forbidden.length === 0
    ? position
    : `${position}!${forbidden.map(({ id }) => id).join(",")}`;
}

class StateBuilder {
  /** By a unique key of each thread. */
  readonly threads = new Map<ThreadKey, Thread>();
  readonly #program: Program;
  readonly #meter: MatchMeter;
  readonly #begin: (position: number) => State;
  readonly #seen = new Set<ThreadKey>();

  constructor(program: Program, meter: MatchMeter, begin: (position: number) => State) {
    this.#program = program;
    this.#meter = meter;
    this.#begin = begin;
  }

  add(position: number, forbidden: readonly State[]): void {
    this.threads.set(threadKey(position, forbidden), { position, forbidden });
  }

  /** Adds every thread that can be reached from `position` without reading a character. */
  follow(position: number, forbidden: readonly State[], place: Place): void {
    const pending: [number, readonly State[], Place][] = [[position, forbidden, place]];
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
      const [at, still, { atStart = false, notEnd = false }] = item;
      const key = threadKey(notEnd ? -1 - at : at, still);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.#meter.left--;
      const instruction = this.#program.instructions[at];
      if (instruction === undefined) continue;
      if (instruction.type === "split")
        for (const target of instruction.targets)
          pending.push([target, still, { atStart, notEnd }]);
      else if (instruction.type === "start") {
        if (atStart) pending.push([at + 1, still, { atStart, notEnd }]);
      } else if (instruction.type === "not-end")
        pending.push([at + 1, still, { atStart, notEnd: true }]);
      else if (instruction.type === "not") {
        const begun = this.#begin(instruction.body);
        if (begun.isMatched) continue;
        const all =
          begun === DEAD || still.includes(begun)
            ? still
            : [...still, begun].sort((a, b) => a.id - b.id);
        pending.push([instruction.next, all, { atStart, notEnd }]);
      } else if (!notEnd || instruction.type === "consume") this.add(at, still);
    }
  }

  finish(): Pick<State, "threads" | "isMatched" | "matchesAtEnd"> {
    const threads = [...this.threads.values()];
    return {
      threads,
      isMatched: threads.some(
        ({ position, forbidden }) => forbidden.length === 0 && this.#isMatch(position),
      ),
      matchesAtEnd: threads.some(
        ({ position, forbidden }) =>
          !forbidden.some((state) => state.isMatched || state.matchesAtEnd) &&
          this.#endsAt(position),
      ),
    };
  }

  #isMatch(position: number): boolean {
    return this.#program.instructions[position]?.type === "match";
  }

  /** Whether the program matches from here if the text ends. */
  #endsAt(position: number): boolean {
    const seen = new Set<number>();
    const pending = [position];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      this.#meter.left--;
      const instruction = this.#program.instructions[at];
      if (instruction?.type === "match") return true;
      if (instruction?.type === "end") pending.push(at + 1);
      else if (instruction?.type === "split") pending.push(...instruction.targets);
      else if (instruction?.type === "not") {
        const { isMatched, matchesAtEnd } = this.#begin(instruction.body);
        if (!isMatched && !matchesAtEnd) pending.push(instruction.next);
      }
    }
    return false;
  }
}
