import { isBuiltin } from "node:module";
import type { Project } from "../repository.js";
import { matches } from "./manifest-rules.js";
import { resolveRelative, type SourceFile, splitSpecifier } from "./source-file.js";
import { nodeEntryPoints, type PackageBoundary, packageBoundaries } from "./table.js";

/**
 * All modules that `src/index.ts` loads must run anywhere, and without any optional package:
 * no `node:` module and no dependency that belongs at a subpath, unless the table lists it.
 */
export function checkRootEntry(
  project: Project,
  sources: readonly SourceFile[],
): readonly string[] {
  const boundary = packageBoundaries[project.manifest.name];
  if (boundary === undefined) return [];
  const files = new Map(sources.map((source) => [source.file, source]));
  const entry = `${project.folder}/src/index.ts`;
  const cameFrom = new Map<string, string | undefined>([[entry, undefined]]);
  const problems: string[] = [];

  // Iterating a map also yields entries that are added during the loop, so this is a breadth-first search.
  for (const file of cameFrom.keys()) {
    for (const { specifier, kind, line } of files.get(file)?.imports ?? []) {
      if (kind !== "value") continue;
      if (specifier.startsWith(".")) {
        const target = resolveRelative(file, specifier);
        if (!cameFrom.has(target)) cameFrom.set(target, file);
        continue;
      }
      if (isRefused(specifier, boundary))
        problems.push(
          `${file}:${line} imports ${specifier}, which the root entry must not load (${chain(file, cameFrom)}).`,
        );
    }
  }
  return problems;
}

function isRefused(specifier: string, boundary: PackageBoundary): boolean {
  if (isBuiltin(specifier) || nodeEntryPoints.includes(specifier))
    return !Object.hasOwn(boundary.nodeModulesInRoot, specifier);
  const { name } = splitSpecifier(specifier);
  return (
    boundary.importsAtSubpaths?.includes(name) === true ||
    boundary.dependencies.some((each) => each.subpathOnly && matches(each, name))
  );
}

function chain(file: string, cameFrom: ReadonlyMap<string, string | undefined>): string {
  const names: string[] = [];
  for (let at: string | undefined = file; at !== undefined; at = cameFrom.get(at))
    names.unshift(at.replace(/^.*\/src\//, ""));
  return names.join(" → ");
}
