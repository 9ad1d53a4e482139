import { embeddedSource } from "./embedded-source.js";
import { httpSource } from "./http-source.js";
import type { RunSource } from "./run-source.js";
import { SourceError } from "./source-error.js";

const STORED_TOKEN = "wink-token";

/** The parts of a browser's window that decide where the data comes from. */
export type PageWindow = Pick<Window, "document" | "location" | "history" | "sessionStorage">;

/**
 * The source of the page: the data in it, or the server that sent it. The token is removed from the address
 * immediately, so that it is not in a link that the user copies.
 */
export async function openSource(page: PageWindow): Promise<RunSource> {
  const embedded = await embeddedSource(page.document);
  if (embedded !== undefined) return embedded;
  const token = takeToken(page);
  if (token === null)
    throw new SourceError(
      "UNAVAILABLE",
      "Open the address that `wink inspect` printed: it has the token.",
    );
  return httpSource({ base: page.location.origin, token });
}

function takeToken({ location, history, sessionStorage }: PageWindow): string | null {
  const fields = new URLSearchParams(location.hash.slice(1));
  const given = fields.get("token");
  if (given === null) return sessionStorage.getItem(STORED_TOKEN);
  fields.delete("token");
  history.replaceState(null, "", fields.size === 0 ? location.pathname : `#${fields}`);
  sessionStorage.setItem(STORED_TOKEN, given);
  return given;
}
