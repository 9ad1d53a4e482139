/**
 * A sequence of events without a restore in between.
 *
 * The events of a session form a tree: a restore returns to an earlier event, and later events branch off there. The
 * current state comes from one path in this tree.
 */
interface Segment {
  /** The position that the segment branches off from; `undefined` for the first segment of a session. */
  readonly parent: Position | undefined;
  /** The sequence number of its first event, even if that event does not exist yet. */
  readonly first: number;
  /** The number of ancestors of the segment. */
  readonly depth: number;
  /** Identifies the session of these events. */
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

/** The position after a return to `position`. The next event has the number `next`. */
export function branchFrom(position: Position, next: number, owner: object): Position {
  let parent = position;
  // Skip segments without events.
  while (parent.sequence < parent.segment.first && parent.segment.parent) {
    parent = parent.segment.parent;
  }
  const segment: Segment = { parent, first: next, depth: parent.segment.depth + 1, owner };
  return { segment, sequence: position.sequence };
}

/** The ranges of the events that led to `position`, newest first. */
export function* rangesOf(position: Position): Generator<SequenceRange, void> {
  let at: Position | undefined = position;
  while (at) {
    if (at.sequence >= at.segment.first) yield { first: at.segment.first, last: at.sequence };
    at = at.segment.parent;
  }
}

/** The ranges of events that are in only one of the two histories. */
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

/** Whether `position` is in the history of the session that owns `current`. */
export function belongsTo(position: Position, current: Position): boolean {
  if (position.segment.owner === current.segment.owner) return true;
  // The history of a clone begins with that of its original.
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
