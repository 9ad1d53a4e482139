import path from "node:path";
import { listFiles, type Project, readText } from "../repository.js";
import { type ImportSite, scanImports } from "./scan-imports.js";

/** A source file of a project with its imports. */
export interface SourceFile {
  /** From the root of the clone. */
  readonly file: string;
  readonly project: Project;
  /** Tests run only in the workspace, so they may use development dependencies. */
  readonly isTest: boolean;
  readonly imports: readonly ImportSite[];
}

export async function readSources(projects: readonly Project[]): Promise<readonly SourceFile[]> {
  const files = (await listFiles()).filter((file) => /\.[cm]?tsx?$/.test(file));
  return projects.flatMap((project) =>
    files
      .filter((file) => file.startsWith(`${project.folder}/`))
      .map((file) => ({
        file,
        project,
        isTest: /\.test(-d)?\./.test(file),
        imports: scanImports(file, readText(file)),
      })),
  );
}

/** The file that a relative import means, by its path from the root: `./x.js` is written as `x.ts`. */
export function resolveRelative(from: string, specifier: string): string {
  const target = path.posix.join(path.posix.dirname(from), specifier);
  return target.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
}

/** `@scope/name/sub/path` → `@scope/name`, and the subpath as `exports` spells it. */
export function splitSpecifier(specifier: string): {
  readonly name: string;
  readonly subpath: string;
} {
  const parts = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  const rest = parts.slice(length);
  return {
    name: parts.slice(0, length).join("/"),
    subpath: rest.length === 0 ? "." : `./${rest.join("/")}`,
  };
}
