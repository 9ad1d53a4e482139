import { type ExportedName, identify } from "./list-exports.js";

/** Entry points with more names than their budget, or without one. */
export function checkBudget(
  names: readonly ExportedName[],
  budget: Readonly<Record<string, number>>,
): readonly string[] {
  const counts = countByEntryPoint(names);
  return [
    ...[...counts].flatMap(([specifier, count]) => {
      const allowed = budget[specifier];
      if (allowed === undefined)
        return [`${specifier} has no budget. Add it to scripts/exports/budget.ts.`];
      if (count <= allowed) return [];
      return [
        `${specifier} exports ${count} names, and its budget is ${allowed}. Export less, or raise the budget with a reason.`,
      ];
    }),
    ...Object.keys(budget)
      .filter((specifier) => !counts.has(specifier))
      .map((specifier) => `scripts/exports/budget.ts: ${specifier} is not an entry point.`),
  ];
}

/** How many names each entry point has. */
function countByEntryPoint(names: readonly ExportedName[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { entryPoint } of names)
    counts.set(entryPoint.specifier, (counts.get(entryPoint.specifier) ?? 0) + 1);
  return counts;
}

/** Names that mean different things in different entry points, with the entry points. */
export function findAmbiguousNames(
  names: readonly ExportedName[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...groupByName(names)]
      .filter(([, group]) => new Set(group.map(({ origin }) => identify(origin))).size > 1)
      .map(([name, group]) => [name, group.map(({ entryPoint }) => entryPoint.specifier)]),
  );
}

function groupByName(names: readonly ExportedName[]): ReadonlyMap<string, ExportedName[]> {
  const groups = new Map<string, ExportedName[]>();
  for (const each of names) groups.set(each.name, [...(groups.get(each.name) ?? []), each]);
  return groups;
}
