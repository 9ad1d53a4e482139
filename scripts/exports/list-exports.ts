import type { EntryPoint } from "./entry-points.js";
import type { ModuleGraph, Origin } from "./module-graph.js";

/** A name of an entry point and its declaration. */
export interface ExportedName {
  readonly entryPoint: EntryPoint;
  readonly name: string;
  readonly origin: Origin;
}

/** Every name of every entry point. A name of two entry points is listed twice. */
export function listExports(
  graph: ModuleGraph,
  entryPoints: readonly EntryPoint[],
): readonly ExportedName[] {
  return entryPoints.flatMap((entryPoint) =>
    [...graph.exportsOf(entryPoint.file)].map(([name, origin]) => ({ entryPoint, name, origin })),
  );
}

/** The declaration as one text, to compare. */
export function identify({ file, name }: Origin): string {
  return `${file}#${name}`;
}
