import type { ProjectFiles } from "./project-files.js";

export const COMMANDS = ["test", "lint", "build", "format"] as const;

/** How to do the usual things in a project. */
export type Commands = { readonly [Name in (typeof COMMANDS)[number]]?: string | undefined };

/** What the manifests of one ecosystem tell of a project. */
export interface Findings {
  /** Such as `Node.js package`. */
  readonly kind: string;
  /** The language that its programs are written in, for when bytes are a draw. */
  readonly language: string;
  readonly packageManager?: string | undefined;
  readonly commands: Commands;
  readonly frameworks: readonly string[];
  readonly entryPoints: readonly string[];
  /** The manifests it was found in, the most telling first. */
  readonly manifests: readonly string[];
}

/** Looks for one ecosystem. Answers `undefined` when the project is none of its own. */
export type Ecosystem = (project: ProjectFiles) => Promise<Findings | undefined>;

/** Those of the names in `table` that `names` has, by what the table calls them. */
export function known(
  names: Iterable<string>,
  table: Readonly<Record<string, string>>,
): readonly string[] {
  const present = new Set(names);
  return [
    ...new Set(
      Object.keys(table)
        .filter((name) => present.has(name))
        .map((name) => table[name] ?? name),
    ),
  ];
}
