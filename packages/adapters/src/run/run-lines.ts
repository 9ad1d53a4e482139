/** The lines of a run and of its subagents, which are in one head. */
export interface RunLines {
  readonly events: string[];
  readonly transcript: string[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A record: complete lines of one run. The run of a subagent is named by its path, such as `41` or `41/7`.
 *
 * @param lines with or without the last newline
 */
export function encodeLines(path: string, lines: string): Uint8Array {
  const text = lines.endsWith("\n") ? lines.slice(0, -1) : lines;
  // A line is a JSON object, so it does not start like a path.
  return encoder.encode(path === "" ? text : `${path}\t${text}`);
}

/** Adds the lines of records to those of their runs. */
export function addLines(
  runs: Map<string, RunLines>,
  stream: keyof RunLines,
  records: readonly Uint8Array[],
): void {
  for (const record of records) {
    const text = decoder.decode(record);
    const end = text.startsWith("{") ? -1 : text.indexOf("\t");
    const { [stream]: lines } = linesOf(runs, text.slice(0, Math.max(0, end)));
    lines.push(...text.slice(end + 1).split("\n"));
  }
}

export function linesOf(runs: Map<string, RunLines>, path: string): RunLines {
  const known = runs.get(path) ?? { events: [], transcript: [] };
  runs.set(path, known);
  return known;
}

/** The name of the entry with the header of a run. */
export function headerEntry(path: string): string {
  return path === "" ? HEADER_ENTRY : `${HEADER_ENTRY}/${path}`;
}

export const HEADER_ENTRY = "run";

/** The names of the subagents' runs below a path, in the order of their start. */
export function childNames(headers: Iterable<string>, path: string): readonly string[] {
  const prefix = path === "" ? "" : `${path}/`;
  return [...headers]
    .filter((each) => each !== "" && each.startsWith(prefix))
    .map((each) => each.slice(prefix.length))
    .filter((name) => name !== "" && !name.includes("/"))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
