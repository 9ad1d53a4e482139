import { existsSync } from "node:fs";
import path from "node:path";
import { resolveRelative, splitSpecifier } from "../boundaries/source-file.js";
import { listProjects, readText, root } from "../repository.js";
import { ModuleGraph } from "./module-graph.js";

/** Something that a program can import. */
export interface EntryPoint {
  /** As in an import, such as `@wink/filesystem/host`. */
  readonly specifier: string;
  readonly packageName: string;
  /** The path of its module, from the root of the clone. */
  readonly file: string;
}

/** Which files of a package are read: its sources, or the declarations that were built from them. */
export type Form = "sources" | "declarations";

/** The shape of a subpath in `exports`, which the boundaries check demands. */
interface ExportTarget {
  readonly types: Readonly<Record<"@wink/source" | "default", string>>;
}

/** The entry points of every published package, in order. */
export function listEntryPoints(form: Form): readonly EntryPoint[] {
  const condition = form === "sources" ? "@wink/source" : "default";
  return [...listProjects("packages"), ...listProjects("apps")]
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap(({ folder, manifest: { name, exports = {} } }) =>
      Object.entries(exports).map(([subpath, target]) => ({
        specifier: name + subpath.slice(1),
        packageName: name,
        file: path.posix.join(folder, (target as ExportTarget).types[condition]),
      })),
    );
}

/** The modules of all packages. An import of one of our packages resolves to its entry point. */
export function graphOf(entryPoints: readonly EntryPoint[]): ModuleGraph {
  const files = new Map(entryPoints.map(({ specifier, file }) => [specifier, file]));
  return new ModuleGraph({
    read: readText,
    resolve(from, specifier) {
      if (specifier.startsWith("."))
        return resolveRelative(from, specifier).replace(
          /\.ts$/,
          from.endsWith(".d.ts") ? ".d.ts" : ".ts",
        );
      const { name, subpath } = splitSpecifier(specifier);
      return files.get(name + subpath.slice(1));
    },
  });
}

/** Whether every package has been built. */
export function isEverythingBuilt(): boolean {
  return listEntryPoints("declarations").every(({ file }) => existsSync(path.join(root, file)));
}
