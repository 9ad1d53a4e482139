import type { FilesystemOptions } from "../../operations/driver-filesystem.js";
import type { Filesystem } from "../../protocol/filesystem.js";

/** Opens a new, empty filesystem of the backend under test. */
export type Open = (options?: FilesystemOptions) => Promise<Filesystem>;

export type CaseBody = (open: Open) => Promise<void>;

/** One thing that every backend must do. */
export interface ContractCase {
  /** The area and the sentence, such as `read: shows one page at a time`. `gaps` names cases by it. */
  readonly id: string;
  /** The sentence with the numbers of the promises it proves. */
  readonly title: string;
  readonly run: CaseBody;
}

export interface ContractArea {
  readonly name: string;
  readonly cases: readonly ContractCase[];
}

/** The cases of one area, by their titles. */
export function defineArea(name: string, bodies: Readonly<Record<string, CaseBody>>): ContractArea {
  const cases = Object.entries(bodies).map(([title, run]) => ({
    id: `${name}: ${title.replace(/ \([^()]*\)$/, "")}`,
    title,
    run,
  }));
  return { name, cases };
}

/** One case for each row, titled by `title`. */
export function eachRow<Row>(
  rows: readonly Row[],
  title: (row: Row) => string,
  run: (row: Row) => CaseBody,
): Readonly<Record<string, CaseBody>> {
  return Object.fromEntries(rows.map((row) => [title(row), run(row)]));
}
