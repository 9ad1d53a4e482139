export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ClippedLine extends Span {
  readonly content: string;
}

const ELLIPSIS = "…";

/**
 * A line of at most `maxCharacters` UTF-16 code units with the match in view, and where the match is in it.
 *
 * `…` marks removed text. A match that does not fit is cut too. No character is split.
 */
export function clipLine(line: string, match: Span, maxCharacters: number): ClippedLine {
  if (line.length <= maxCharacters) return { content: line, start: match.start, end: match.end };
  const { start: from, end: to } = chooseWindow(line, match, maxCharacters);
  const lead = from > 0 && maxCharacters > 0 ? ELLIPSIS : "";
  const tail = to < line.length && maxCharacters > 1 ? ELLIPSIS : "";
  const shift = lead.length - from;
  const start = Math.max(match.start, from) + shift;
  return {
    content: lead + line.slice(from, to) + tail,
    start,
    end: Math.max(start, Math.min(match.end, to) + shift),
  };
}

/** Centres the match, unless an end of the line is near. */
function chooseWindow(line: string, match: Span, maxCharacters: number): Span {
  const room = Math.max(0, maxCharacters - 2 * ELLIPSIS.length);
  const shown = Math.min(match.end - match.start, room);
  const before = Math.min(match.start, Math.floor((room - shown) / 2));
  const end = Math.min(line.length, match.start - before + room);
  const start = Math.max(0, Math.min(match.start, end - room));
  return {
    start: splitsCharacter(line, start) ? start + 1 : start,
    end: splitsCharacter(line, end) && end > start ? end - 1 : end,
  };
}

function splitsCharacter(line: string, position: number): boolean {
  return (
    position > 0 &&
    isBetween(line.charCodeAt(position - 1), 0xd800, 0xdbff) &&
    isBetween(line.charCodeAt(position), 0xdc00, 0xdfff)
  );
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}
