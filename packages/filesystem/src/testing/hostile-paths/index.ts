import { climbing } from "./climbing.js";
import type { HostilePath } from "./hostile-path.js";
import { literal, roots } from "./literal.js";
import { malformed } from "./malformed.js";

export type { HostilePath } from "./hostile-path.js";

/** More than 300 paths to try on anything that takes one. */
export const hostilePaths: readonly HostilePath[] = [
  ...climbing,
  ...malformed,
  ...literal,
  ...roots,
];
