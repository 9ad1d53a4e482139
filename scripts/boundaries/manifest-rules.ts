import type { Project } from "../repository.js";
import { describeArrows, shortName } from "./import-rules.js";
import { type AllowedDependency, type DependencyKind, packageBoundaries } from "./table.js";

/** Checks that a published package declares only the dependencies in the table. */
export function checkManifest({ folder, manifest }: Project): readonly string[] {
  const boundary = packageBoundaries[manifest.name];
  const file = `${folder}/package.json`;
  if (boundary === undefined)
    return [`${file}: ${manifest.name} has no row in scripts/boundaries/table.ts.`];

  const problems: string[] = [];
  const self = shortName(manifest.name);
  for (const { name, kind } of declarations(manifest)) {
    if (name.startsWith("@wink/")) {
      if (!boundary.imports.includes(name))
        problems.push(
          `${file} declares ${name}, but ${self} may import: ${describeArrows(boundary)}.`,
        );
      continue;
    }
    const allowed = boundary.dependencies.find((each) => matches(each, name));
    if (allowed?.as.includes(kind)) continue;
    const possible = boundary.dependencies.map((each) => `${each.name} (${each.as.join(" or ")})`);
    problems.push(
      `${file} has ${name} as ${kind}, but ${self} may declare: ${possible.join(", ")}.`,
    );
  }
  if (manifest.type !== "module") problems.push(`${file} must say "type": "module".`);
  if (manifest.sideEffects !== false) problems.push(`${file} must say "sideEffects": false.`);
  return problems;
}

export function matches(allowed: AllowedDependency, name: string): boolean {
  return allowed.name.endsWith("*")
    ? name.startsWith(allowed.name.slice(0, -1))
    : name === allowed.name;
}

function declarations(
  manifest: Project["manifest"],
): readonly { readonly name: string; readonly kind: DependencyKind }[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const isOptional = (name: string) => manifest.peerDependenciesMeta?.[name]?.optional === true;
  return [
    ...Object.keys(dependencies).map((name) => ({ name, kind: "dependency" as const })),
    ...Object.keys(optionalDependencies).map((name) => ({
      name,
      kind: "optional dependency" as const,
    })),
    ...Object.keys(peerDependencies).map((name) => ({
      name,
      kind: isOptional(name) ? ("optional peer" as const) : ("peer" as const),
    })),
  ];
}
