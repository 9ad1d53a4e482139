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
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Readonly<Record<"@wink/source", string>>>>;
}

/** Lists every entry point of every published package, in order, except the internal ones. */
export function listEntryPoints(root: string): readonly EntryPoint[] {
  return ["packages", "apps"]
    .map((folder) => path.join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
    .flatMap(entryPointsOf)
    .sort((a, b) => (a.specifier < b.specifier ? -1 : 1));
}

function entryPointsOf(folder: string): readonly EntryPoint[] {
  const manifest = path.join(folder, "package.json");
  if (!existsSync(manifest)) return [];
  // The boundaries check requires this shape of every package.
  const { name, exports = {}, ...rest } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
  if (rest.private === true) return [];
  return Object.keys(exports)
    .filter((subpath) => !subpath.endsWith("/internal"))
    .map((subpath) => ({
      specifier: name + subpath.slice(1),
      file: path.join(folder, exports[subpath]?.["@wink/source"] ?? ""),
    }))
    .filter(({ file }) => existsSync(file));
}
