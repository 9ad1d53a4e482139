import type { Workspace } from "@wink/workspace";
import { confirm } from "../terminal/ask.js";
import type { Io } from "../terminal/io.js";
import { say, sayJson } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { showCopying } from "../view/show-copying.js";
import { decline } from "./decline.js";

/** The name of the snapshot that saves the state before a discard. */
const BEFORE_DISCARD = "before-discard";

export interface DiscardChangesOptions {
  readonly yes: boolean;
  readonly json: boolean;
  /** Only these files, directories and globs. Empty means everything. */
  readonly paths: readonly string[];
}

/** Asks, and discards the changes of the workspace. */
export async function discardChanges(
  io: Io,
  workspace: Workspace,
  { yes, json, paths: given }: DiscardChangesOptions,
): Promise<void> {
  const { directory } = workspace;
  const paths =
    given.length === 0 ? undefined : given.map((path) => workspace.pathOf(path, io.cwd));
  const { files } = await workspace.changes({ paths });
  const what = count(files.length, "change");
  const question = `Discard ${what} in the workspace of ${directory}?`;
  if (files.length > 0 && !(await confirm(io, { question, yes }))) {
    const outcome = { directory, discarded: [], keptAs: null };
    return decline(io, { json, outcome, sentence: "Nothing was discarded." });
  }
  if (files.length > 0) await workspace.discard({ paths, keepAs: BEFORE_DISCARD });
  if (paths === undefined) await workspace.refresh({ onProgress: showCopying(io.status) });
  const keptAs = files.length > 0 ? BEFORE_DISCARD : null;
  if (json) sayJson(io, { directory, discarded: files, keptAs });
  else if (keptAs === null) say(io, `No changes in the workspace of ${directory}.`);
  else say(io, `${what} discarded. The previous state is saved as the snapshot ${keptAs}.`);
}
