import { fileURLToPath } from "node:url";

/** The directory of the clone if `wink` runs from its sources there. `undefined` if it is installed. */
export const CLONE: string | undefined = import.meta.url.endsWith(".ts")
  ? fileURLToPath(new URL("../../../..", import.meta.url))
  : undefined;
