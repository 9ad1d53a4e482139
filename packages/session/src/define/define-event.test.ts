import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineEvent, isSessionError, Session } from "../index.js";

const AddStep = defineEvent(
  "plan.add-step",
  z.object({ title: z.string(), details: z.string().default("") }),
);

describe("an event", () => {
  it("is frozen plain data with its defaults filled in (SE-1)", () => {
    const event = AddStep({ title: "read" });
    expect(event).toStrictEqual({ type: "plan.add-step", payload: { title: "read", details: "" } });
    expect(Object.isFrozen(event) && Object.isFrozen(event.payload)).toBe(true);
    expect(Reflect.ownKeys(event)).toEqual(["type", "payload"]);
  });

  it("is rejected with the path when its payload does not match the schema (SE-1)", () => {
    // @ts-expect-error a title is a string
    expect(() => AddStep({ title: 7 })).toThrow(
      expect.objectContaining({ code: "EVENT_INVALID", path: "payload.title" }),
    );
  });

  it("does not change the caller's object (SE-1)", () => {
    const Saved = defineEvent("save", z.object({ data: z.unknown() }));
    const data = { list: [1] };
    const event = Saved({ data });
    data.list.push(2);
    expect(event.payload).toEqual({ data: { list: [1] } });
  });

  it("can be made without a payload when its schema has a default (SE-1)", () => {
    const Tick = defineEvent("tick", z.object({ by: z.number().default(1) }).prefault({}));
    expect(Tick()).toEqual({ type: "tick", payload: { by: 1 } });
  });

  it("has its type and its schema on the token (SE-1)", () => {
    expect(AddStep.type).toBe("plan.add-step");
    expect(AddStep.schema.parse({ title: "x" })).toEqual({ title: "x", details: "" });
    expect(AddStep.is(AddStep({ title: "x" }))).toBe(true);
    expect(AddStep.is({ type: "other", payload: {} })).toBe(false);
  });

  it.each(["", " ", "a b", "wink.seed-slice", "__proto__", "x".repeat(129), "a\n"])(
    "cannot have the type %j (SE-4)",
    (type) => {
      expect(() => defineEvent(type, z.null())).toThrow(
        expect.objectContaining({ code: "DEFINITION_INVALID" }),
      );
    },
  );
});

describe("a schema", () => {
  it("may be any Standard Schema (SE-2)", () => {
    const even: StandardSchemaV1<number, number> = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value) =>
          typeof value === "number" && value % 2 === 0
            ? { value }
            : { issues: [{ message: "not even", path: [{ key: "deep" }, 0] }] },
      },
    };
    const Counted = defineEvent("counted", even);
    expect(Counted(4)).toEqual({ type: "counted", payload: 4 });
    expect(() => Counted(3)).toThrow("event 'counted' at payload.deep[0]: not even.");
  });

  const answering = (validate: () => unknown) =>
    ({
      "~standard": { version: 1, vendor: "test", validate },
    }) as unknown as StandardSchemaV1<string>;

  it.each([
    ["returns a promise", answering(async () => ({ value: "x" })), "SCHEMA_ASYNC"],
    [
      "returns a promise that rejects",
      answering(() => Promise.reject(new Error("late"))),
      "SCHEMA_ASYNC",
    ],
    // biome-ignore lint/suspicious/noThenProperty: it is what the test is about.
    ["returns a custom thenable", answering(() => ({ then() {} })), "SCHEMA_ASYNC"],
    ["is asynchronous in zod", z.string().refine(async () => true), "SCHEMA_ASYNC"],
    [
      "throws",
      answering(() => {
        throw new Error("broken");
      }),
      "SCHEMA_FAILED",
    ],
    ["changes its own output", z.string().transform((text) => `${text}!`), "SCHEMA_UNSTABLE"],
  ] as const)("that %s is rejected (SE-2)", (_, schema, code) => {
    const Said = defineEvent("said", schema);
    expect(() => Said("x")).toThrow(expect.objectContaining({ code }));
  });
});

describe("dispatch of an event without a token", () => {
  it("rejects an undeclared type (SE-11)", () => {
    const session = new Session();
    expect(() => session.dispatch({ type: "plan.add-step", payload: {} })).toThrow(
      expect.objectContaining({ code: "EVENT_UNKNOWN" }),
    );
    expect(session.events.length).toBe(0);
  });

  it.each([undefined, null, 7, "x", {}, { type: 3 }])("rejects %j (SE-11)", (event) => {
    const session = new Session();
    // @ts-expect-error it is not an event
    const dispatch = () => session.dispatch(event);
    expect(dispatch).toThrow(expect.objectContaining({ name: "SessionError" }));
  });
});

it("an error is recognised by its brand and code, not by its class (SE-1)", () => {
  const error = Object.assign(new Error("x"), {
    [Symbol.for("wink.session.error")]: true,
    code: "EVENT_STORM",
  });
  expect(isSessionError(error)).toBe(true);
  expect(isSessionError(error, "EVENT_STORM")).toBe(true);
  expect(isSessionError(error, "SESSION_BUSY")).toBe(false);
  expect(isSessionError(new Error("x"))).toBe(false);
  expect(isSessionError(null)).toBe(false);
});
