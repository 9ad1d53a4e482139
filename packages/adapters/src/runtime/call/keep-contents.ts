import type { Session } from "@wink/session";
import { type ContentSink, resourceOf } from "../transaction/call-resource.js";

/**
 * Stores the content of every changed file of the session's calls, so that `replayFiles` can
 * reproduce the files from the events. `contents` can be a `Map`.
 *
 * @returns a function that stops this
 */
export function keepContents(session: Session, contents: ContentSink): () => void {
  const resource = resourceOf(session);
  resource.contents = contents;
  return () => {
    resource.contents = undefined;
  };
}
