import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "../define/define-event.js";
import { defineSlice } from "../define/define-slice.js";
import { defineState } from "../define/define-state.js";
import { Session } from "./session.js";

/** What a caller in JavaScript can pass. The types refuse all of it. */
// biome-ignore lint/suspicious/noExplicitAny: the table passes wrong arguments on purpose.
const wrong = (value: unknown) => value as any;

const Note = z.object({ text: z.string() });
const AddNote = defineEvent("note.add", Note);
const Notes = defineSlice({ name: "notes", schema: Note });

it.each([undefined, null, 7, "note.add"])("%j is not an event (SE-33)", (value) => {
  expect(AddNote.is(wrong(value))).toBe(false);
});

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
    [
      "events.filter without a function",
      () => new Session().events.filter(wrong("note.add")),
      "events.filter: expected a function, got a string.",
    ],
    [
      "events.map without a function",
      () => new Session().events.map(wrong(undefined)),
      "events.map: expected a function, got undefined.",
    ],
    [
      "events.at with a symbol",
      () => new Session().events.at(wrong(Symbol("a"))),
      "events.at: expected a number, got a symbol.",
    ],
    [
      "slice.where without a function",
      () => new Session().slice(Notes).where(wrong({ text: "a" })),
      "slice.where: expected a function, got an object.",
    ],
    [
      "slice.at with a symbol",
      () => new Session().slice(Notes).at(wrong(Symbol("a"))),
      "slice.at: expected a number, got a symbol.",
    ],
    [
      "slice.clear with an item",
      () => new Session().slice(Notes).clear(wrong({ text: "a" })),
      "slice.clear: it must be a function, got an object.",
    ],
    [
      "slice.register without an event",
      () => new Session().slice(Notes).register(wrong(null), () => []),
      "slice.register: expected an event, got null. Pass the result of defineEvent.",
    ],
    [
      "slice.register without a reducer",
      () => new Session().slice(Notes).register(AddNote, wrong(undefined)),
      "slice.register: expected a function, got undefined.",
    ],
  ])("is named by a typed error: %s (SE-33)", (_, call, message) => {
    expect(call).toThrow(expect.objectContaining({ name: "SessionError", message }));
  });
});
