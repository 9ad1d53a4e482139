import { StoreError } from "../engine/store-error.js";
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

/** One requirement for every backend. `Body` takes what the cases of a contract work with. */
export interface ContractCase<Body> {
  /** The area and the title, such as `commit: shows all changes together`. `gaps` uses it as the key. */
  readonly id: string;
  /** The title with the numbers of the promises that it proves. */
  readonly title: string;
  readonly run: Body;
}

export interface ContractArea<Body> {
  readonly name: string;
  readonly cases: readonly ContractCase<Body>[];
}

/** Makes an area from its cases, by title. */
export function areaOf<Body>(
  name: string,
  bodies: Readonly<Record<string, Body>>,
): ContractArea<Body> {
  if (typeof bodies !== "object" || bodies === null)
    throw new StoreError("ARGUMENT_INVALID", "areaOf", "pass an object with the cases by title");
  const cases = Object.entries(bodies).map(([title, run]) => ({
    id: `${name}: ${title.replace(/ \([^()]*\)$/, "")}`,
    title,
    run,
  }));
  return { name, cases };
}
