/** What a package may keep until its files are moved. Nothing may be added to these lists. */
export interface FolderTolerance {
  /** Files right in `src/` that are not entry points. */
  readonly looseFiles?: readonly string[];
  /** Folders that import each other. */
  readonly twoWayPairs?: readonly (readonly [string, string])[];
}

export const folderTolerances: Readonly<Record<string, FolderTolerance>> = {
  "@wink/adapters": {
    looseFiles: [
      "complain.ts",
      "event-fields.ts",
      "limits.ts",
      "longest-timer.ts",
      "run-events.ts",
    ],
    twoWayPairs: [
      ["calls", "subagents"],
      ["interop", "mcp"],
    ],
  },
  "@wink/filesystem": {
    looseFiles: [
      "byte-order.ts",
      "bytes.ts",
      "create-filesystem.ts",
      "driver-filesystem.ts",
      "driver.ts",
      "file-content.ts",
      "filesystem-error.ts",
      "filesystem-options.ts",
      "filesystem.ts",
      "in-memory-filesystem.ts",
      "in-walk-order.ts",
      "limits.ts",
      "line-index.ts",
      "maybe-promise.ts",
      "normalize-path.ts",
      "read-only-view.ts",
      "temporary-prefix.ts",
      "virtual-path.ts",
    ],
    twoWayPairs: [
      ["search", "search/glob"],
      ["core", "host"],
      ["host", "snapshots"],
      ["host", "store"],
      ["memory", "snapshots"],
      ["testing", "testing/contract"],
    ],
  },
  "@wink/tools": {
    looseFiles: ["limits.ts"],
    twoWayPairs: [
      ["digest", "digest/ecosystems"],
      ["files", "snapshots"],
    ],
  },
};
