import { describe, expect, it } from "vitest";
import { defineEvent } from "../define/define-event.js";
import { defineSlice } from "../define/define-slice.js";
import { defineState } from "../define/define-state.js";
import { Session } from "./session.js";

/** What a caller in JavaScript can pass. The types refuse all of it. */
// biome-ignore lint/suspicious/noExplicitAny: the table passes wrong arguments on purpose.
const wrong = (value: unknown) => value as any;

describe("a wrong argument from JavaScript", () => {
  it.each<[string, () => unknown, string]>([
    [
      "defineEvent without a schema",
      () => defineEvent("note.add", wrong(undefined)),
      "event 'note.add': schema is not a Standard Schema. Pass one, such as z.object({}).",
    ],
    [
      "defineSlice without options",
      () => defineSlice(wrong(undefined)),
      "defineSlice: expected an object, got undefined. Pass the options with name and schema.",
    ],
    [
      "defineState with a string",
      () => defineState(wrong("plan")),
      "defineState: expected an object, got a string. Pass the options with name and schema.",
    ],
    [
      "a session with null",
      () => new Session(wrong(null)),
      "Session: expected an object, got null. Pass the options as an object.",
    ],
    [
      "a session with slices that are not a list",
      () => new Session({ slices: wrong(5) }),
      "slices: expected an object, got a number. Pass a list.",
    ],
    [
      "install without a slice",
      () => new Session().install(wrong(undefined)),
      "install: expected an object, got undefined. Pass the result of defineSlice or defineState.",
    ],
    [
      "slice with a name",
      () => new Session().slice(wrong("plan")),
      "slice: expected an object, got a string. Pass the result of defineSlice or defineState.",
    ],
  ])("is named by a typed error: %s", (_, call, message) => {
    expect(call).toThrow(expect.objectContaining({ name: "SessionError", message }));
  });
});
