import path from "node:path";
import type { Project } from "../repository.js";
import { listTargets } from "./exports-rules.js";
import { resolveRelative, type SourceFile } from "./source-file.js";

/** One folder that imports another, with the first import that shows it. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly where: string;
}

/**
 * The folders of a package depend in one direction, and `src/` holds only entry points.
 *
 * Tests may import anything, and an entry point is a list that belongs to no folder.
 */
export function checkFolders(project: Project, sources: readonly SourceFile[]): readonly string[] {
  // An app is started through its main.ts.
  const targets = [...listTargets(project.manifest.exports), "src/main.ts"];
  const entryPoints = new Set(targets.map((target) => path.posix.join(project.folder, target)));
  const own = sources.filter(
    (source) => !source.isTest && source.file.startsWith(`${project.folder}/src/`),
  );
  const inFolders = own.filter(({ file }) => !entryPoints.has(file));
  return [
    ...checkLooseFiles(project, inFolders),
    ...checkDirections(project, listArrows(project, inFolders)),
  ];
}

function checkLooseFiles({ folder }: Project, files: readonly SourceFile[]): readonly string[] {
  return files
    .map(({ file }) => path.posix.relative(`${folder}/src`, file))
    .filter((file) => !file.includes("/"))
    .map((file) => `${folder}/src/${file} is not an entry point. Move it into a folder of src/.`);
}

function checkDirections({ folder }: Project, arrows: readonly Arrow[]): readonly string[] {
  const cycle = findCycle(arrows);
  if (cycle === undefined) return [];
  const names = cycle.map(({ from }) => from);
  const places = cycle.map(({ from, to, where }) => `  ${from} → ${to}: ${where}`);
  const circle = [...names, names[0]].join(" → ");
  return [
    `${folder}/src: folders must depend in one direction, but ${circle}.\n${places.join("\n")}`,
  ];
}

/** Which folder imports which, each pair once. Files right in `src/` have no folder yet. */
function listArrows({ folder }: Project, files: readonly SourceFile[]): readonly Arrow[] {
  const arrows = new Map<string, Arrow>();
  const folderOf = (file: string) => path.posix.relative(`${folder}/src`, path.posix.dirname(file));
  const known = new Set(files.map(({ file }) => file));
  for (const { file, imports } of files)
    for (const { specifier, line } of imports) {
      if (!specifier.startsWith(".")) continue;
      const target = resolveRelative(file, specifier);
      const [from, to] = [folderOf(file), folderOf(target)];
      if (!known.has(target) || from === to || from === "" || to === "") continue;
      const key = `${from} ${to}`;
      if (!arrows.has(key)) arrows.set(key, { from, to, where: `${file}:${line}` });
    }
  return [...arrows.values()];
}

/** A shortest cycle of imports, so that a pair is reported before a longer cycle. */
function findCycle(arrows: readonly Arrow[]): readonly Arrow[] | undefined {
  const circles = arrows.flatMap((arrow) => {
    const back = findWay(arrows, arrow.to, arrow.from);
    return back === undefined ? [] : [[arrow, ...back]];
  });
  return circles.sort((a, b) => a.length - b.length)[0];
}

/** The shortest path along the imports, by breadth-first search. */
function findWay(arrows: readonly Arrow[], from: string, to: string): readonly Arrow[] | undefined {
  const ways = new Map<string, readonly Arrow[]>([[from, []]]);
  // Iterating a map also yields entries that are added during the loop.
  for (const [at, way] of ways) {
    if (at === to) return way;
    for (const arrow of arrows)
      if (arrow.from === at && !ways.has(arrow.to)) ways.set(arrow.to, [...way, arrow]);
  }
  return undefined;
}
