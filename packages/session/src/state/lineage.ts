/**
 * Which events the present state comes from.
 *
 * Events form a tree: a restore goes back to an earlier point, and what is
 * dispatched then grows from there. A segment is a run of events without a
 * restore in between.
 */
export interface Segment {
  /** What the segment grew from, or nothing for a session's first. */
  readonly parent: Position | undefined;
  /** The sequence number of its first event, whether there is one yet or not. */
  readonly first: number;
  /** How many segments lie below it. */
  readonly depth: number;
  /** The session whose events these are. */
  readonly owner: object;
}

/** A point in the tree of events: the state after event `sequence`. */
export interface Position {
  readonly segment: Segment;
  readonly sequence: number;
}

/** Sequence numbers from `first` to `last`, both included. */
export interface SequenceRange {
  readonly first: number;
  readonly last: number;
}

export function startLineage(owner: object, sequence: number): Position {
  const segment: Segment = { parent: undefined, first: sequence + 1, depth: 0, owner };
  return { segment, sequence };
}

/** Where events go on after a return to `position`, the next one being `next`. */
export function branchFrom(position: Position, next: number, owner: object): Position {
  let parent = position;
  // A segment without events of its own says nothing that its parent does not.
  while (parent.sequence < parent.segment.first && parent.segment.parent) {
    parent = parent.segment.parent;
  }
  const segment: Segment = { parent, first: next, depth: parent.segment.depth + 1, owner };
  return { segment, sequence: position.sequence };
}

/** The events that led to `position`, newest first. */
export function* rangesOf(position: Position): Generator<SequenceRange, void> {
  let at: Position | undefined = position;
  while (at) {
    if (at.sequence >= at.segment.first) yield { first: at.segment.first, last: at.sequence };
    at = at.segment.parent;
  }
}

/** What leads to `one` but not to `other`, and the other way round. */
export function compareLineages(
  one: Position,
  other: Position,
): { readonly onlyOne: readonly SequenceRange[]; readonly onlyOther: readonly SequenceRange[] } {
  const onlyOne: SequenceRange[] = [];
  const onlyOther: SequenceRange[] = [];
  let a: Position | undefined = one;
  let b: Position | undefined = other;
  while (a && b && a.segment !== b.segment) {
    if (a.segment.depth >= b.segment.depth) {
      a = collect(a, onlyOne);
    } else {
      b = collect(b, onlyOther);
    }
  }
  while (a && !b) a = collect(a, onlyOne);
  while (b && !a) b = collect(b, onlyOther);
  if (a && b) {
    const shared = Math.min(a.sequence, b.sequence);
    const first = Math.max(shared + 1, a.segment.first);
    if (a.sequence >= first) onlyOne.push({ first, last: a.sequence });
    if (b.sequence >= first) onlyOther.push({ first, last: b.sequence });
  }
  return { onlyOne, onlyOther };
}

/** Whether `position` lies in the history of the session that owns `current`. */
export function belongsTo(position: Position, current: Position): boolean {
  if (position.segment.owner === current.segment.owner) return true;
  // A clone's history begins in that of its original.
  let at: Position | undefined = current;
  while (at) {
    if (at.segment === position.segment) return position.sequence <= at.sequence;
    at = at.segment.parent;
  }
  return false;
}

function collect(position: Position, ranges: SequenceRange[]): Position | undefined {
  const { segment, sequence } = position;
  if (sequence >= segment.first) ranges.push({ first: segment.first, last: sequence });
  return segment.parent;
}
