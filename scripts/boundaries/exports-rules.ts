import { existsSync } from "node:fs";
import path from "node:path";
import { type Project, root } from "../repository.js";

/** Requires explicit subpaths, types first, and that every target exists, as a source and as a build. */
export function checkExports({ folder, manifest }: Project): readonly string[] {
  const file = `${folder}/package.json`;
  if (manifest.exports === undefined)
    return [`${file} has no "exports", so everything is reachable.`];

  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    const where = `${file} exports "${subpath}"`;
    if (subpath.includes("*"))
      return [`${where}: name each subpath, so that nothing else is reachable.`];
    const problems = listTargets(target)
      .filter((each) => isBuilt(folder) || !each.startsWith("./dist/"))
      .filter((each) => !existsSync(path.join(root, folder, each)))
      .map((each) => `${where} → ${each}, but this file does not exist${hint(each)}.`);
    if (target !== null && typeof target === "object" && Object.keys(target)[0] !== "types")
      problems.push(`${where} must have "types" as its first condition.`);
    return problems;
  });
}

/** A package that did not compile has no targets. The `tarballs` check reports that. */
export function isBuilt(folder: string): boolean {
  return existsSync(path.join(root, folder, "dist"));
}

function hint(target: string): string {
  return target.startsWith("./dist/") ? " after the build" : "";
}

/** Every file that an `exports` value names, under any condition, each once. */
export function listTargets(target: unknown): readonly string[] {
  if (typeof target === "string") return [target];
  if (target === null || typeof target !== "object") return [];
  return [...new Set(Object.values(target).flatMap(listTargets))];
}
