import type { Store } from "../store/store.js";

/** Opens the store under test: another connection to the same data for each call. */
type OpenStore = () => Promise<Store>;

/** What a case works with. */
interface Fixture {
  readonly open: OpenStore;
  /** An id that no other case uses. */
  id(name?: string): string;
}

export type CaseBody = (fixture: Fixture) => Promise<void>;

/** One requirement for every store. */
export interface ContractCase {
  /** The area and the title, such as `commit: shows all changes together`. `gaps` uses it as the key. */
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
