import type { FilesystemOptions } from "../../operations/driver-filesystem.js";
import type { Filesystem } from "../../protocol/filesystem.js";

/** Opens a new, empty filesystem of the backend under test. */
export type Open = (options?: FilesystemOptions) => Promise<Filesystem>;

export type CaseBody = (open: Open) => Promise<void>;

/** One requirement for every backend. */
export interface ContractCase {
  /** The area and the title, such as `write: reports what it wrote`. `gaps` uses it as the key. */
  readonly id: string;
  /** The title with the numbers of the promises that it proves. */
  readonly title: string;
  readonly run: CaseBody;
}

export interface ContractArea {
  readonly name: string;
  readonly cases: readonly ContractCase[];
}

/** Makes an area from its cases, by title. */
export function defineArea(name: string, bodies: Readonly<Record<string, CaseBody>>): ContractArea {
  const cases = Object.entries(bodies).map(([title, run]) => ({
    id: `${name}: ${title.replace(/ \([^()]*\)$/, "")}`,
    title,
    run,
  }));
  return { name, cases };
}

/** Makes one case per row. `title` gives the row's title. */
export function eachRow<Row>(
  rows: readonly Row[],
  title: (row: Row) => string,
  run: (row: Row) => CaseBody,
): Readonly<Record<string, CaseBody>> {
  return Object.fromEntries(rows.map((row) => [title(row), run(row)]));
}
