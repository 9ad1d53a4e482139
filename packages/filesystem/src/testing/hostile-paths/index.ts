import { climbing } from "./climbing.js";
import type { HostilePath } from "./hostile-path.js";
import { literal, roots } from "./literal.js";
import { malformed } from "./malformed.js";

export type { HostilePath } from "./hostile-path.js";

/** More than 300 paths to test any function that takes a path. */
export const hostilePaths: readonly HostilePath[] = [
  ...climbing,
  ...malformed,
  ...literal,
  ...roots,
];
