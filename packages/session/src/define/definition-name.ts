import { SessionError } from "./session-error.js";

/** The prefix of this package's own events. */
const OWN_PREFIX = "wink.";

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/@-]{0,127}$/u;

/** Rejects names that are not suitable for a permanent file format. */
export function checkName(name: string, kind: "event" | "slice"): void {
  const reason = nameProblem(name);
  if (reason) throw new SessionError("DEFINITION_INVALID", kind, reason);
}

function nameProblem(name: unknown): string | undefined {
  if (typeof name !== "string" || !NAME.test(name))
    return "a name must have 1 to 128 letters, digits and . _ - : / @, and start with a letter, a digit or _";
  if (name === "__proto__") return "the name '__proto__' is not allowed";
  if (name.startsWith(OWN_PREFIX)) return `names that start with '${OWN_PREFIX}' are reserved`;
  return undefined;
}

interface Declared {
  readonly file: string;
  readonly position: string;
}

/** Slices declared in the current turn of the event loop, by name and version. */
const recent = new Map<string, Declared>();

/**
 * Rejects a second declaration of a slice's name in the same module.
 *
 * A permanent registry of names would leak memory and break hot reload and programs with two copies of a package. So
 * names are remembered only until the current modules have run. A clash needs two positions in one file, because one
 * position that runs twice (a function, a test) declares the same slice again. Two versions of one slice are allowed.
 * Other clashes are detected when both slices are installed in one session.
 */
export function refuseSecondDeclaration(name: string, version: number): void {
  const place = callingPlace();
  if (!place) return;
  const key = `${name}\n${version}`;
  const earlier = recent.get(key);
  if (earlier && earlier.file === place.file && earlier.position !== place.position)
    throw new SessionError(
      "NAME_TAKEN",
      `slice '${name}'`,
      `the name is declared twice in one module, at ${earlier.position} and at ${place.position}. Rename one`,
    );
  if (recent.size === 0) queueMicrotask(() => recent.clear());
  recent.set(key, place);
}

/** The position of the call of `defineSlice` or `defineState`, if the engine provides stack traces. */
function callingPlace(): Declared | undefined {
  // Frames: this function, refuseSecondDeclaration, declare, defineSlice or defineState, the caller.
  const frame = new Error().stack?.split("\n").filter((line) => /:\d+:\d+\)?$/.test(line))[4];
  const match = frame?.match(/([^\s(]+):(\d+:\d+)\)?$/);
  return match?.[1] && match[2] ? { file: match[1], position: match[2] } : undefined;
}
