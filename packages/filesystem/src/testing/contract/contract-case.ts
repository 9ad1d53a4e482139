import { type ContractArea as AreaOf, areaOf } from "@wink/store/testing";
import type { FilesystemOptions } from "../../backend/driver-filesystem.js";
import type { Filesystem } from "../../protocol/filesystem.js";

/** Opens a new, empty filesystem of the backend under test. */
export type Open = (options?: FilesystemOptions) => Promise<Filesystem>;

export type CaseBody = (open: Open) => Promise<void>;

/** Makes an area from its cases, by title. */
export const defineArea: typeof areaOf<CaseBody> = areaOf;

export type ContractArea = AreaOf<CaseBody>;
export type ContractCase = ContractArea["cases"][number];

/** Makes one case per row. `title` gives the row's title. */
export function eachRow<Row>(
  rows: readonly Row[],
  title: (row: Row) => string,
  run: (row: Row) => CaseBody,
): Readonly<Record<string, CaseBody>> {
  return Object.fromEntries(rows.map((row) => [title(row), run(row)]));
}
