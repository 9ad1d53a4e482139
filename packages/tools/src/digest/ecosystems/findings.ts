import type { ProjectFiles } from "./project-files.js";

export const COMMANDS = ["test", "lint", "typecheck", "build", "format"] as const;

/** The project's commands for common tasks. */
export type Commands = { readonly [Name in (typeof COMMANDS)[number]]?: string | undefined };

/** What the manifests of one ecosystem say about a project. */
export interface Findings {
  /** For example `Node.js package`. */
  readonly kind: string;
  /** The ecosystem's programming language. It decides which of several ecosystems comes first. */
  readonly language: string;
  readonly packageManager?: string | undefined;
  readonly commands: Commands;
  readonly frameworks: readonly string[];
  readonly entryPoints: readonly string[];
  /** The manifests that were found, the most informative first. */
  readonly manifests: readonly string[];
}

/** Detects one ecosystem. Returns `undefined` if the project does not use it. */
export type Ecosystem = (project: ProjectFiles) => Promise<Findings | undefined>;

/** Returns the labels in `table` of the given names. */
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

export function withoutXmlComments(text: string): string {
  return text.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
}
