import { describe, expect, it } from "vitest";
import { describeKind } from "./describe-kind.js";
import { closestName, findOptionProblem } from "./option-problem.js";

describe("findOptionProblem", () => {
  const known = ["hostPath", "includeGlob", "excludeGlob", "maxBytes"];

  it("accepts no options and known options", () => {
    expect(findOptionProblem(undefined, known)).toBeUndefined();
    expect(findOptionProblem({ maxBytes: 1 }, known)).toBeUndefined();
  });

  it.each([
    [{ maxByte: 1 }, "unknown option 'maxByte'. Did you mean 'maxBytes'?"],
    [{ exclude: [] }, "unknown option 'exclude'. Did you mean 'excludeGlob'?"],
    [{ zzz: 1 }, "unknown option 'zzz'. Options: hostPath, includeGlob, excludeGlob, maxBytes."],
    ["src", "options must be an object, got a string."],
    [[], "options must be an object, got an array."],
    [null, "options must be an object, got null."],
  ])("describes %j", (options, problem) => {
    expect(findOptionProblem(options, known)).toBe(problem);
  });
});

describe("closestName", () => {
  it.each([
    ["tsak", ["task", "files"], "task"],
    ["polices", ["policies", "feedback"], "policies"],
    ["maxTokens", ["wallMs", "tokens", "costUsd"], "tokens"],
    ["qqqq", ["task", "files"], undefined],
    ["x".repeat(1e6), ["task"], undefined],
  ])("of a misspelt name finds the nearest", (name, known, expected) => {
    expect(closestName(name, known)).toBe(expected);
  });
});

describe("describeKind", () => {
  it("names the kind of a value", () => {
    expect([1, "", {}, [], null, undefined, () => 0].map(describeKind)).toEqual([
      "a number",
      "a string",
      "an object",
      "an array",
      "null",
      "undefined",
      "a function",
    ]);
  });
});
