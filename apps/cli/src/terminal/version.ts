import { readFileSync } from "node:fs";

// Beside `src` and `dist` alike.
const manifest = new URL("../../package.json", import.meta.url);

/** The version of this package. */
export const VERSION: string = (
  JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }
).version;
