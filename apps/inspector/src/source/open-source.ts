import type { RunSource } from "./run-source.js";
import { SourceError } from "./source-error.js";

/** The source that the page was opened with: the program that serves it, or the data inside it. */
export async function openSource(_document: Document, _location: Location): Promise<RunSource> {
  throw new SourceError("UNKNOWN", "This page has no data. Open it with `wink inspect`.");
}
