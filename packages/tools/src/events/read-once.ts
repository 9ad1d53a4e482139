import { defineEvent, type Session } from "@wink/session";
import { z } from "zod";

/** A section has read a text from the files, which it shows for the rest of the session. */
const ReadText = defineEvent("section.read", z.object({ section: z.string(), text: z.string() }));

/**
 * The text that a section shows for the whole session. It is read once, and stored in the session, because a run that is
 * continued must show the same text, although its agent may have changed the files.
 */
export async function readOnce(
  session: Session,
  { section, read }: { readonly section: string; readonly read: () => Promise<string> },
): Promise<string> {
  const earlier = session.events
    .of(ReadText)
    .findLast(({ payload }) => payload.section === section)?.payload;
  if (earlier !== undefined) return earlier.text;
  const text = await read();
  session.dispatch(ReadText({ section, text }));
  return text;
}
