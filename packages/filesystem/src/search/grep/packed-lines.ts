import { TimeSlices } from "../../content/time-slices.js";
import type { FoundLine } from "./find-lines.js";

/** In the order of the fields of {@link FoundLine}, as `regex-thread.js` packs them. */
const NUMBERS_PER_LINE = 6;

/** Creating a line takes about a tenth of a microsecond. */
const WORK_PER_LINE = 1 / 64;

/** Unpacks the lines that a worker has packed into numbers. Pauses, because there may be a million. */
export async function unpackLines(packed: Uint32Array): Promise<readonly FoundLine[]> {
  const slices = new TimeSlices();
  const lines: FoundLine[] = [];
  for (let index = 0; index < packed.length; index += NUMBERS_PER_LINE) {
    lines.push(lineAt(packed, index));
    if (slices.spend(WORK_PER_LINE)) await slices.pause();
  }
  return lines;
}

function lineAt(packed: Uint32Array, index: number): FoundLine {
  const at = (offset: number) => packed[index + offset] ?? 0;
  return {
    textIndex: at(0),
    lineNumber: at(1),
    lineStart: at(2),
    lineEnd: at(3),
    matchStart: at(4),
    matchEnd: at(5),
  };
}
