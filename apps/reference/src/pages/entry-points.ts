import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A module that a program can import. */
export interface EntryPoint {
  /** As in an import, such as `@wink/filesystem/host`. */
  readonly specifier: string;
  /** Its source file. */
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Readonly<Record<"@wink/source", string>>>>;
}

/** Lists every entry point of every package, in order. */
export function listEntryPoints(root: string): readonly EntryPoint[] {
  return readdirSync(path.join(root, "packages"))
    .sort()
    .flatMap((folder) => entryPointsOf(path.join(root, "packages", folder)));
}

function entryPointsOf(folder: string): readonly EntryPoint[] {
  const manifest = path.join(folder, "package.json");
  if (!existsSync(manifest)) return [];
  // The boundaries check requires this shape of every package.
  const { name, exports } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
  return Object.keys(exports)
    .sort()
    .map((subpath) => ({
      specifier: name + subpath.slice(1),
      file: path.join(folder, exports[subpath]?.["@wink/source"] ?? ""),
    }))
    .filter(({ file }) => existsSync(file));
}
