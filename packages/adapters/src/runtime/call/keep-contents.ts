import type { Session } from "@wink/session";
import { requireMethod, requireSession } from "../context/require-options.js";
import { type ContentSink, resourceOf } from "../transaction/call-resource.js";

/**
 * Stores the content of every changed file of the session's calls, so that `replayFiles` can
 * reproduce the files from the events. `contents` can be a `Map`.
 *
 * @returns a function that stops this
 */
export function keepContents(session: Session, contents: ContentSink): () => void {
  requireSession("keepContents", session);
  const expected = "a store with a method 'set', such as a Map";
  requireMethod("contents", contents, { name: "set", expected });
  const resource = resourceOf(session);
  resource.contents = contents;
  return () => {
    resource.contents = undefined;
  };
}
