import { expect, it } from "vitest";
import { z } from "zod";
import {
  appendAll,
  defineEvent,
  defineSlice,
  replaceLatest,
  replaceLatestBy,
  Session,
  upsertBy,
} from "../index.js";
import type { ListReducer } from "./define-slice.js";

const File = z.object({ path: z.string(), version: z.number() });
type File = z.infer<typeof File>;
const Written = defineEvent("file.write", File);

const events: readonly File[] = [
  { path: "a", version: 1 },
  { path: "b", version: 1 },
  { path: "a", version: 2 },
];

it.each<[string, ListReducer<File, File>, readonly string[]]>([
  ["appendAll", appendAll, ["a1", "b1", "a2"]],
  ["replaceLatest", replaceLatest, ["a2"]],
  ["upsertBy a property", upsertBy<File>("path"), ["a2", "b1"]],
  ["upsertBy a function", upsertBy<File>((file) => file.path), ["a2", "b1"]],
  ["replaceLatestBy a property", replaceLatestBy<File>("path"), ["b1", "a2"]],
  ["replaceLatestBy a function", replaceLatestBy<File>((file) => file.path), ["b1", "a2"]],
])("%s gives the same result in a session and on an array (SE-5)", (_, reducer, expected) => {
  const Files = defineSlice({
    name: "files",
    schema: File,
    reducers: (on) => [on(Written, reducer)],
  });
  const session = new Session({ slices: [Files] });
  for (const file of events) session.dispatch(Written(file));
  const names = (files: readonly File[]) => files.map((file) => `${file.path}${file.version}`);
  expect(names(session.slice(Files).all())).toEqual(expected);
  expect(names(events.reduce<readonly File[]>((items, file) => reducer(items, file), []))).toEqual(
    expected,
  );
});

it("a built-in reducer validates the payload with the slice's schema when the event has a different schema (SE-5)", () => {
  const Said = defineEvent("say", z.object({ text: z.string() }));
  const Short = defineSlice({
    name: "short",
    schema: z.object({ text: z.string().max(3) }),
    reducers: (on) => [on(Said, appendAll)],
  });
  const session = new Session({ slices: [Short] });
  session.dispatch(Said({ text: "abc" }));
  expect(() => session.dispatch(Said({ text: "abcd" }))).toThrow(
    expect.objectContaining({ code: "VALUE_INVALID", path: "payload.text" }),
  );
  expect(session.slice(Short).all()).toEqual([{ text: "abc" }]);
});
