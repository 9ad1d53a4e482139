import type { TreeEntry } from "./tree-view.js";

/**
 * The change of one path in a transaction.
 *
 * Applied in order, the changes of a transaction turn its first state into its current one. A deleted directory is one
 * change. A created directory is listed only if no listed path is below it, or if its permissions are not `0o755`.
 * Times are not compared.
 */
export interface PathChange {
  readonly kind: "create" | "modify" | "delete";
  readonly path: string;
  /** The node now; `undefined` if it was deleted. Read it before the transaction ends. */
  readonly after: Omit<TreeEntry, "contentId"> | undefined;
}
