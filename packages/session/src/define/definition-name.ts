import { SessionError } from "./session-error.js";

/** Names under which this package keeps its own events. */
export const OWN_PREFIX = "wink.";

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/@-]{0,127}$/u;

/** Refuses names that cannot stand in a file for ever. */
export function checkName(name: string, kind: "event" | "slice"): void {
  const reason = nameProblem(name);
  if (reason) throw new SessionError("definition_invalid", { subject: kind, reason });
}

function nameProblem(name: unknown): string | undefined {
  if (typeof name !== "string" || !NAME.test(name))
    return "a name has 1 to 128 letters, digits and . _ - : / @, and starts with a letter or a digit";
  if (name === "__proto__") return "the name '__proto__' is refused";
  if (name.startsWith(OWN_PREFIX)) return `names that start with '${OWN_PREFIX}' are reserved`;
  return undefined;
}

interface Declared {
  readonly file: string;
  readonly position: string;
}

/** Slices declared since the event loop was last free, by name and version. */
const recent = new Map<string, Declared>();

/**
 * Refuses a second declaration of a slice's name in the same module.
 *
 * A register of all names for ever would leak, and would break hot reload and
 * programs that hold two copies of a package. So names are remembered only until
 * the modules being loaded have run, and a clash needs two places in one file: a
 * place that runs twice (a function, a test) declares the same thing again, and
 * two versions of one slice stand for its history. What slips through is
 * refused when both are installed in one session.
 */
export function refuseSecondDeclaration(name: string, version: number): void {
  const place = callingPlace();
  if (!place) return;
  const key = `${name}\n${version}`;
  const earlier = recent.get(key);
  if (earlier && earlier.file === place.file && earlier.position !== place.position)
    throw new SessionError("name_taken", {
      subject: `slice '${name}'`,
      reason: `the name is declared twice in one module, at ${earlier.position} and at ${place.position}`,
    });
  if (recent.size === 0) queueMicrotask(() => recent.clear());
  recent.set(key, place);
}

/** Where `defineSlice` or `defineState` was called from, where the engine tells. */
function callingPlace(): Declared | undefined {
  // Frames: this function, refuseSecondDeclaration, declare, defineSlice or defineState, the caller.
  const frame = new Error().stack?.split("\n").filter((line) => /:\d+:\d+\)?$/.test(line))[4];
  const match = frame?.match(/([^\s(]+):(\d+:\d+)\)?$/);
  return match?.[1] && match[2] ? { file: match[1], position: match[2] } : undefined;
}
