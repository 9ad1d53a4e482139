import { readFileSync } from "node:fs";

// Resolves the same way from `src` and from `dist`.
const manifest = new URL("../../package.json", import.meta.url);

/** The version of this package. */
export const VERSION: string = (
  JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }
).version;
