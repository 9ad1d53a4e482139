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
  "@wink/tools": {
    looseFiles: ["limits.ts"],
    twoWayPairs: [
      ["digest", "digest/ecosystems"],
      ["files", "snapshots"],
    ],
  },
};
