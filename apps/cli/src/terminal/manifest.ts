import { readFileSync } from "node:fs";

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The package.json of this package. The path is the same from `src` and from `dist`. */
export const MANIFEST: Manifest = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);
