import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The same layout as `struct control` in interposer.test.h. */
const OFFSETS = {
  mode: 0,
  at: 4,
  until: 8,
  error: 12,
  traits: 16,
  limit: 20,
  counter: 24,
  fired: 28,
  endless: 32,
  moveCount: 36,
  arming: 40,
  hit: 44,
  place: 76,
  moves: 588,
} as const;
const HIT_BYTES = 32;
const PATH_BYTES = 512;
const MAX_MOVES = 6;
const CONTROL_BYTES = OFFSETS.moves + MAX_MOVES * 2 * PATH_BYTES;

const MODES = { idle: 0, count: 1, swap: 2, fail: 3, kill: 4 } as const;
/** What a call does, as in `enum trait`. */
export const TRAITS = { opens: 1, byName: 2, changes: 4, writes: 8, moment: 32 } as const;
/** The exit status of the process if an operation makes more calls than allowed. */
export const ENDLESS_STATUS = 97;

/** Two paths that are swapped. A target that ends in `*` is a prefix. Without a bait the target is removed. */
export interface Move {
  readonly target: string;
  readonly bait: string;
}

export interface Arming {
  readonly mode: Exclude<keyof typeof MODES, "idle">;
  /** The first call that is hit, from 1. */
  readonly at: number;
  /** The first call that is not hit any more, or before which a swap is reversed. 0 means never. @default 0 */
  readonly until?: number;
  readonly errno?: number;
  /** Only calls with one of these traits count. @default 0, which means all calls */
  readonly traits?: number;
  readonly moves?: readonly Move[];
}

export interface Hits {
  /** The number of calls that the operation made. */
  readonly calls: number;
  readonly fired: number;
  /** The name of the first call that was hit. */
  readonly hit: string;
}

/** Compiles the library that is loaded with LD_PRELOAD. @throws if gcc is missing */
export function buildInterposer(directory: string): string {
  const library = join(directory, "interposer.so");
  const sources = ["interposer.test.c", "system-calls.test.c"].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const flags = ["-shared", "-fPIC", "-O1", "-Wno-builtin-declaration-mismatch"];
  execFileSync("gcc", [...flags, "-o", library, ...sources, "-ldl", "-lpthread"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  return library;
}

/** Creates the file through which a process is controlled. */
export function makeControlFile(path: string): void {
  const fd = openSync(path, "w", 0o600);
  ftruncateSync(fd, CONTROL_BYTES);
  closeSync(fd);
}

/** Controls what the library in this process does with the calls on files below `place`. */
export class Interposer {
  readonly #fd: number;
  readonly #place: string;
  readonly #limit: number;
  #armings = 0;

  /** @param limit an operation that makes more calls than this counts as endless */
  constructor(controlFile: string, place: string, limit: number) {
    this.#fd = openSync(controlFile, "r+");
    this.#place = place;
    this.#limit = limit;
  }

  arm({ mode, at, until = 0, errno = 0, traits = 0, moves = [] }: Arming): void {
    if (moves.length > MAX_MOVES) throw new RangeError("Too many moves.");
    const control = Buffer.alloc(CONTROL_BYTES);
    const put = (field: keyof typeof OFFSETS, value: number) =>
      control.writeUInt32LE(value, OFFSETS[field]);
    put("at", at);
    put("until", until);
    put("error", errno);
    put("traits", traits);
    put("limit", this.#limit);
    put("moveCount", moves.length);
    put("arming", ++this.#armings);
    control.write(this.#place, OFFSETS.place);
    for (const [index, { target, bait }] of moves.entries()) {
      const start = OFFSETS.moves + index * 2 * PATH_BYTES;
      control.write(target, start);
      control.write(bait, start + PATH_BYTES);
    }
    writeSync(this.#fd, control, 4, CONTROL_BYTES - 4, 4);
    // Last, because it starts the counting.
    this.#setMode(MODES[mode]);
  }

  disarm(): Hits {
    this.#setMode(MODES.idle);
    const control = Buffer.alloc(OFFSETS.place);
    readSync(this.#fd, control, 0, control.length, 0);
    const name = control.toString("latin1", OFFSETS.hit, OFFSETS.hit + HIT_BYTES);
    return {
      calls: control.readUInt32LE(OFFSETS.counter),
      fired: control.readUInt32LE(OFFSETS.fired),
      hit: name.slice(0, name.indexOf("\0")),
    };
  }

  #setMode(mode: number): void {
    const word = Buffer.alloc(4);
    word.writeUInt32LE(mode);
    writeSync(this.#fd, word, 0, 4, 0);
  }
}
