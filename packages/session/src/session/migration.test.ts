import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineSlice, defineState, Session } from "../index.js";

const Version1 = z.object({ title: z.string(), done: z.boolean() });
const Version3 = z.object({
  title: z.string(),
  status: z.enum(["open", "done"]),
  tags: z.array(z.string()),
});

const StepsV1 = defineSlice({ name: "steps", schema: Version1 });
const StepsV3 = defineSlice({
  name: "steps",
  schema: Version3,
  version: 3,
  migrate(stored, fromVersion) {
    if (fromVersion !== 1) throw new Error("never written");
    const { title, done } = Version1.parse(stored);
    return { title, status: done ? "done" : "open", tags: [] };
  },
});

const GoalV1 = defineState({ name: "goal", schema: z.string(), initial: "" });
const GoalV2 = defineState({
  name: "goal",
  schema: z.object({ text: z.string() }),
  initial: { text: "" },
  version: 2,
  migrate: (stored) => ({ text: z.string().parse(stored) }),
});

function write(): string {
  const session = new Session({ id: "s" });
  session.slice(StepsV1).append({ title: "a", done: true }, { title: "b", done: false });
  session.slice(GoalV1).seed("ship it");
  return JSON.stringify(session);
}

describe("a snapshot of an older version", () => {
  it("is read through migrate and the new schema (E146, SE-21)", () => {
    const session = Session.fromSnapshot(write(), { slices: [StepsV3, GoalV2] });
    expect(session.slice(StepsV3).all()).toEqual([
      { title: "a", status: "done", tags: [] },
      { title: "b", status: "open", tags: [] },
    ]);
    expect(session.state(GoalV2)).toEqual({ text: "ship it" });
    expect(session.toJSON().slices["steps"]?.version).toBe(3);
  });

  it("is read when its slice is installed later, and by restore (E146, SE-21, SE-22)", () => {
    const late = Session.fromSnapshot(write());
    expect(late.slice(GoalV2).latest()).toEqual({ text: "ship it" });
    const session = new Session({ slices: [GoalV2] });
    session.restore(write());
    expect(session.state(GoalV2)).toEqual({ text: "ship it" });
    expect(session.slice(StepsV3).size).toBe(2);
  });

  it.each<
    [
      string,
      { version?: number; migrate?: (stored: unknown, fromVersion: number) => unknown },
      string,
    ]
  >([
    ["has no migrate", { version: 2 }, "SLICE_VERSION"],
    [
      "has a migrate that throws",
      {
        version: 2,
        migrate: () => {
          throw new Error("x");
        },
      },
      "MIGRATION_FAILED",
    ],
    [
      "has a migrate whose result does not match the schema",
      { version: 2, migrate: () => 5 },
      "SNAPSHOT_INVALID",
    ],
    [
      "has a migrate that does not return plain data",
      { version: 2, migrate: () => new Map() },
      "NOT_PLAIN_DATA",
    ],
    ["has another schema and the same version", {}, "SNAPSHOT_INVALID"],
  ])("is rejected completely when the definition %s (E146, SE-21)", (_, options, code) => {
    const Goal = defineState({
      name: "goal",
      schema: z.object({ text: z.string() }),
      initial: { text: "" },
      ...options,
    });
    const session = new Session({ slices: [StepsV3, Goal] });
    session.slice(StepsV3).append({ title: "kept", status: "open", tags: [] });
    const before = JSON.stringify(session);
    expect(() => session.restore(write())).toThrow(expect.objectContaining({ code }));
    expect(JSON.stringify(session)).toBe(before);
    expect(() => Session.fromSnapshot(write(), { slices: [StepsV3, Goal] })).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it("is rejected when it is newer than the definition (E146, SE-21)", () => {
    const session = new Session({ slices: [GoalV2] });
    session.slice(GoalV2).seed({ text: "x" });
    expect(() => Session.fromSnapshot(session.toJSON(), { slices: [GoalV1] })).toThrow(
      "slice 'goal': it was stored as version 2, which is newer than the defined version 1. Update the program.",
    );
  });
});

describe("the envelope", () => {
  it.each([0, 2, 99, "1", null, undefined, 1.5])(
    "with version %j is rejected (E146, SE-21)",
    (version) => {
      const { checksum: _, ...json } = new Session().toJSON();
      expect(() => Session.fromSnapshot({ ...json, version })).toThrow(
        expect.objectContaining({ code: "SNAPSHOT_VERSION" }),
      );
    },
  );
});
