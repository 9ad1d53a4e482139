import { describe, expect, it, vi } from "vitest";
import { GREP_OPTIONS } from "./grep-options.test.support.js";
import { runInterruptible } from "./interruptible.js";

const options = GREP_OPTIONS;

describe("runInterruptible", () => {
  it("returns the result of the task", () => {
    expect(runInterruptible(() => "done", 1_000)).toEqual({ value: "done" });
  });

  it("stops a regular expression that is running (C73)", () => {
    expect(runInterruptible(() => /(a+)+$/.test(`${"a".repeat(40)}!`), 15)).toBeUndefined();
  });

  it("rethrows the error of the task", () => {
    const failing = () => {
      throw new TypeError("broken");
    };
    expect(() => runInterruptible(failing, 1_000)).toThrow(new TypeError("broken"));
  });

  it("can be used again after a stop", () => {
    runInterruptible(() => /(a+)+$/.test(`${"a".repeat(40)}!`), 15);
    expect(runInterruptible(() => 1, 1_000)).toEqual({ value: 1 });
  });
});

describe("a runtime that cannot interrupt", () => {
  it("searches for plain text only, and refuses a regular expression with the reason (C73)", async () => {
    const { compileGrep } = await importWithoutBuiltins();
    const found = compileGrep("TODO", options).search([{ path: "x", text: "a TODO" }], 1);
    expect(found).toMatchObject({ matches: [{ lineNumber: 1, matchStart: 2 }], more: false });
    expect(() => compileGrep("TODO+", options)).toThrow(
      "this runtime cannot interrupt a regular expression; only plain text can be searched for",
    );
  });
});

async function importWithoutBuiltins(): Promise<typeof import("./grep-engine.js")> {
  const spy = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  vi.resetModules();
  try {
    return await import("./grep-engine.js");
  } finally {
    spy.mockRestore();
    vi.resetModules();
  }
}
