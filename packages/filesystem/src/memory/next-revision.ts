// Random, so that the revisions of two processes, or of two copies of this package, never coincide.
const PREFIX = `m${Math.random().toString(36).slice(2, 8)}-`;
let last = 0;

/** A revision that no content has had before. */
export function nextRevision(): string {
  return PREFIX + (++last).toString(36);
}
