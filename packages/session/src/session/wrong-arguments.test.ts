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
      "defineSlice: options are missing. Options: name, policy, version, migrate, schema, reducers.",
    ],
    [
      "defineState with a string",
      () => defineState(wrong("plan")),
      "defineState: options must be an object, got a string.",
    ],
    [
      "a session with null",
      () => new Session(wrong(null)),
      "Session: options must be an object, got null.",
    ],
    [
      "a misspelt option of a session",
      () => new Session(wrong({ tag: {} })),
      "Session: unknown option 'tag'. Did you mean 'tags'?",
    ],
    [
      "a misspelt option of a slice",
      () => defineSlice(wrong({ name: "x", shema: {} })),
      "defineSlice: unknown option 'shema'. Did you mean 'schema'?",
    ],
    [
      "a misspelt option of a state",
      () => defineState(wrong({ name: "x", intial: 1 })),
      "defineState: unknown option 'intial'. Did you mean 'initial'?",
    ],
    [
      "a misspelt option of dispatch",
      () => new Session().dispatch(wrong({}), wrong({ mata: {} })),
      "dispatch: unknown option 'mata'. Did you mean 'meta'?",
    ],
    [
      "a session with slices that are not a list",
      () => new Session({ slices: wrong(5) }),
      "Session: option 'slices' must be an array, got a number.",
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
  ])("is named by a typed error: %s (SE-33)", (_, call, message) => {
    expect(call).toThrow(expect.objectContaining({ name: "SessionError", message }));
  });
});
