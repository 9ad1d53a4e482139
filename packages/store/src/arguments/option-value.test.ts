import { expect, it } from "vitest";
import { findOptionProblem } from "./option-problem.js";

const { signal } = new AbortController();
const deadline = { remainingMs: () => 1 };

it.each([
  [{ signal, deadline, onProgress: () => {}, onConflict: "merge" }],
  [{ maxBytes: Number.POSITIVE_INFINITY, timeoutMs: 0, paths: ["a"], stateDirectory: "state" }],
  [{ signal: undefined, maxBytes: undefined, paths: undefined, other: null }],
])("findOptionProblem accepts values of the kind that their name means (%#)", (options) => {
  expect(findOptionProblem(options, Object.keys(options))).toBeUndefined();
});

it.each([
  [{ signal: new AbortController() }, "option 'signal' must be an AbortSignal, got an object."],
  [
    { deadline: "2m" },
    "option 'deadline' must be a Deadline, such as Deadline.in('2m'), got a string.",
  ],
  [{ onEvent: {} }, "option 'onEvent' must be a function, got an object."],
  [{ maxTurns: "3" }, "option 'maxTurns' must be a number, got a string."],
  [{ timeoutMs: null }, "option 'timeoutMs' must be a number, got null."],
  [{ maxTurns: Number.NaN }, "option 'maxTurns' must be a number, got NaN."],
  [{ windowTokens: "8k" }, "option 'windowTokens' must be a number, got a string."],
  [{ storeDirectory: 3 }, "option 'storeDirectory' must be a string, got a number."],
  [{ paths: "src" }, "option 'paths' must be an array of strings, got a string."],
  [{ policies: {} }, "option 'policies' must be an array, got an object."],
  [
    { baseURL: "localhost" },
    "option 'baseURL' must be a URL, such as 'http://localhost:11434/v1', got a string.",
  ],
  [
    { telemetry: {} },
    "option 'telemetry' must be telemetry, such as openTelemetry(), got an object.",
  ],
  [{ client: null }, "option 'client' must be an object, got null."],
  [{ name: Symbol("a") }, "option 'name' must be plain data, got a symbol."],
])("findOptionProblem names an option with a wrong value: %j", (options, problem) => {
  expect(findOptionProblem(options, Object.keys(options))).toBe(problem);
});
