import { expect, it } from "vitest";
import { exportBudget, knownAmbiguousNames, knownLeaks } from "./budget.js";
import { graphOf, isEverythingBuilt, listEntryPoints } from "./entry-points.js";
import { checkBudget, findAmbiguousNames } from "./export-rules.js";
import { findLeaks } from "./leak-rules.js";
import { listExports } from "./list-exports.js";

const entryPoints = listEntryPoints("sources");
const names = listExports(graphOf(entryPoints), entryPoints);

it("every entry point exports at most as many names as its budget", () => {
  expect(checkBudget(names, exportBudget)).toEqual([]);
});

it("no name is exported for two different things, except for the names that budget.ts lists", () => {
  const found = [...findAmbiguousNames(names).keys()].sort();
  expect(found).toEqual(Object.keys(knownAmbiguousNames).sort());
});

const built = isEverythingBuilt();
if (!built) {
  const message = "skipped: types in public signatures need the build; run `pnpm build`";
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(message);
  console.log(message);
}

it.skipIf(!built)("no public signature uses an unexported type, but for those in budget.ts", () => {
  const declarations = listEntryPoints("declarations");
  const graph = graphOf(declarations);
  const leaks = findLeaks(graph, listExports(graph, declarations));
  const known = Object.entries(knownLeaks).flatMap(([packageName, types]) =>
    Object.keys(types).map((name) => `${packageName} ${name}`),
  );
  const usedBy = new Map(
    leaks.map((leak) => [`${leak.packageName} ${leak.name}`, `used by ${leak.usedBy}`]),
  );
  const unexpected = [...usedBy].filter(([leak]) => !known.includes(leak));
  const obsolete = known.filter((leak) => !usedBy.has(leak));
  expect({ unexpected, obsolete }).toEqual({ unexpected: [], obsolete: [] });
});
