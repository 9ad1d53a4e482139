import { expect, it } from "vitest";
import { readBudget, readDeadline, readPrices, requireCountable } from "./read-limits.js";

it("readBudget reads amounts in any order (CL-16)", () => {
  expect(readBudget("calls=40, tokens=1000,usd=0.5,bytes=9")?.limits).toEqual({
    toolCalls: 40,
    tokens: 1000,
    costUsd: 0.5,
    bytesWritten: 9,
  });
  expect(readBudget(undefined)).toBe(undefined);
});

it.each([
  "euros=3",
  "tokens",
  "tokens=",
  "tokens=-1",
  "tokens=x",
  "tokens=5=6",
  "tokens=Infinity",
  "tokens=0x10",
  "",
  "constructor=1",
])("readBudget refuses '%s' and names the valid amounts (CL-2, CL-16)", (text) => {
  expect(() => readBudget(text)).toThrow(
    expect.objectContaining({ exitCode: 2, hint: expect.stringContaining("tokens=100000") }),
  );
});

it("readPrices reads prices, and requireCountable refuses a money budget without a price (CL-16)", () => {
  const prices = readPrices("input=3,output=15");
  expect(prices).toEqual({ inputUsd: 3, outputUsd: 15 });
  expect(readPrices("output=15, cached=0.3,input=3")?.cachedInputUsd).toBe(0.3);
  for (const text of ["input=3", "input=x,output=1", "hay=1"])
    expect(() => readPrices(text)).toThrow(expect.objectContaining({ exitCode: 2 }));

  const budget = readBudget("usd=0.5");
  requireCountable(budget, prices, "openai:some");
  requireCountable(budget, undefined, "scripted");
  requireCountable(readBudget("tokens=1"), undefined, "openai:some");
  expect(() => requireCountable(budget, undefined, "openai:some")).toThrow(
    expect.objectContaining({ exitCode: 2, hint: expect.stringContaining("--price") }),
  );
});

it("readDeadline reads a duration from now (CL-16)", () => {
  expect(readDeadline("10m")?.remainingMs()).toBeGreaterThan(300_000);
  expect(readDeadline(undefined)).toBe(undefined);
  expect(() => readDeadline("soon")).toThrow(
    expect.objectContaining({ exitCode: 2, message: "--deadline: invalid time 'soon'." }),
  );
});
