import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appendAll, defineEvent, defineSlice, defineState, Session } from "../index.js";

const Text = z.object({ text: z.string() });

describe("a name used twice", () => {
  it("fails at the second declaration in a module (SE-3)", () => {
    defineSlice({ name: "twice", schema: Text });
    expect(() => defineState({ name: "twice", schema: Text, initial: { text: "" } })).toThrow(
      /^slice 'twice': the name is declared twice in one module, at .+ and at .+\. Rename one\.$/,
    );
  });

  it("is allowed at one position that runs again, as in a function (SE-3)", () => {
    const make = () => defineSlice({ name: "again", schema: Text });
    expect([make().name, make().name]).toEqual(["again", "again"]);
  });

  it("is allowed after a reload (SE-3)", async () => {
    defineSlice({ name: "reloaded", schema: Text });
    await Promise.resolve();
    expect(defineSlice({ name: "reloaded", schema: Text }).name).toBe("reloaded");
  });

  it("is allowed for two versions of a slice (SE-3, SE-21)", () => {
    defineSlice({ name: "versions", schema: Text, version: 1 });
    expect(defineSlice({ name: "versions", schema: Text, version: 2 }).version).toBe(2);
  });

  it("fails when both are installed in one session (SE-3)", async () => {
    const one = defineSlice({ name: "clash", schema: Text });
    await Promise.resolve();
    const other = defineSlice({ name: "clash", schema: Text });
    const session = new Session({ slices: [one] });
    session.install(one);
    const clash = expect.objectContaining({ code: "NAME_TAKEN" });
    expect(() => session.install(other)).toThrow(clash);
    expect(() => session.slice(other)).toThrow(clash);
    expect(() => new Session({ slices: [one, other] })).toThrow(clash);
  });

  it("fails for two events of one type with different schemas (SE-3)", () => {
    const One = defineEvent("clash.happen", Text);
    const Other = defineEvent("clash.happen", z.object({ text: z.string() }));
    const session = new Session();
    session.install(
      defineSlice({ name: "clash-a", schema: Text, reducers: (on) => [on(One, appendAll)] }),
    );
    const B = defineSlice({
      name: "clash-b",
      schema: Text,
      reducers: (on) => [on(Other, appendAll)],
    });
    expect(() => session.install(B)).toThrow(expect.objectContaining({ code: "NAME_TAKEN" }));
  });
});

describe("a definition", () => {
  it.each([
    ["an invalid name", () => defineSlice({ name: "a b", schema: Text })],
    ["a version below 1", () => defineSlice({ name: "bad-a", schema: Text, version: 0 })],
    ["a fractional version", () => defineSlice({ name: "bad-b", schema: Text, version: 1.5 })],
    // @ts-expect-error unknown policy
    ["an unknown policy", () => defineSlice({ name: "bad-c", schema: Text, policy: "maybe" })],
    // @ts-expect-error it is not a schema
    ["no schema", () => defineSlice({ name: "bad-d", schema: {} })],
    [
      "an initial value that does not match the schema",
      // @ts-expect-error text is a string
      () => defineState({ name: "bad-e", schema: Text, initial: { text: 1 } }),
    ],
  ])("fails with %s (SE-4)", (_, define) => {
    expect(define).toThrow(expect.objectContaining({ code: "DEFINITION_INVALID" }));
  });

  it("is frozen, and so is its initial value (SE-4)", () => {
    const token = defineState({ name: "frozen", schema: Text, initial: { text: "" } });
    expect(Object.isFrozen(token) && Object.isFrozen(token.initial)).toBe(true);
  });
});
