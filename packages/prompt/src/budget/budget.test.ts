import fc from "fast-check";
import { expect, it } from "vitest";
import { Budget, type Spending } from "./budget.js";
import { Deadline } from "./deadline.js";
import { type Duration, toMilliseconds } from "./duration.js";

it.each([
  ["250ms", 250],
  ["30s", 30_000],
  ["2m", 120_000],
  ["1.5h", 5_400_000],
  ["0s", 0],
  [1_234, 1_234],
] as const)("toMilliseconds reads %s as %d milliseconds (PR-34)", (duration, milliseconds) => {
  expect(toMilliseconds(duration)).toBe(milliseconds);
});

it.each(["2", "m", "-1s", "1 s", "1d", "", "1e3s", "NaNs", -1, Number.NaN, Infinity])(
  "toMilliseconds refuses %s (PR-34)",
  (duration) => {
    expect(() => toMilliseconds(duration as Duration)).toThrow(
      expect.objectContaining({ code: "DURATION_INVALID" }),
    );
  },
);

it("a deadline counts down to 0 and not below (PR-34)", () => {
  let now = 1_000;
  const deadline = Deadline.in("2m", { clock: () => now });
  expect(deadline.atMs).toBe(121_000);
  now = 61_000;
  expect([deadline.remainingMs(), deadline.expired]).toEqual([60_000, false]);
  now = 200_000;
  expect([deadline.remainingMs(), deadline.expired]).toEqual([0, true]);
});

it("a deadline can be a point in time, and earliest returns the earlier one (PR-34)", () => {
  const early = Deadline.at(new Date("2030-01-01T00:00:00Z"), { clock: () => 0 });
  const late = Deadline.at(Date.parse("2031-01-01T00:00:00Z"), { clock: () => 0 });
  expect(JSON.stringify(early)).toBe('"2030-01-01T00:00:00.000Z"');
  expect(late.earliest(early)).toBe(early);
  expect(early.earliest(late)).toBe(early);
  expect(early.earliest(undefined)).toBe(early);
  expect(() => Deadline.at(new Date("never"))).toThrow("it is not a valid date");
});

it("take takes all amounts or none (PR-35)", () => {
  const budget = new Budget({ tokens: 10, toolCalls: 1 });
  expect(() => budget.take({ tokens: 5, toolCalls: 2 })).toThrow(
    "budget: 2 toolCalls wanted, 1 left.",
  );
  expect(budget.spent).toMatchObject({ tokens: 0, toolCalls: 0 });
  budget.take({ tokens: 10, toolCalls: 1 });
  expect(budget.exhausted).toBe("tokens");
  expect(budget.remaining()).toMatchObject({ tokens: 0, toolCalls: 0, costUsd: Infinity });
});

it("spend records amounts even above the limit (PR-35)", () => {
  const budget = new Budget({ tokens: 10 });
  budget.spend({ tokens: 15, costUsd: 0.1 });
  expect(budget.spent).toMatchObject({ tokens: 15, costUsd: 0.1 });
  expect(budget.remaining().tokens).toBe(0);
  expect(budget.exhausted).toBe("tokens");
});

it("a child reserves its limits when it is created and returns the rest when it is closed (PR-35)", () => {
  const parent = new Budget({ tokens: 100, costUsd: 1 });
  const child = parent.child({ tokens: 60 });
  expect(parent.remaining().tokens).toBe(40);
  expect(() => parent.child({ tokens: 41 })).toThrow("41 tokens wanted, 40 left");
  child.spend({ tokens: 20, costUsd: 0.25 });
  expect(parent.spent).toMatchObject({ tokens: 20, costUsd: 0.25 });
  expect(parent.remaining()).toMatchObject({ tokens: 40, costUsd: 0.75 });
  expect(child.remaining()).toMatchObject({ tokens: 40, costUsd: 0.75 });
  child.close();
  child.close();
  expect(parent.remaining().tokens).toBe(80);
  expect(() => child.take({ tokens: 1 })).toThrow("budget: it is closed.");
  child.spend({ tokens: 5 });
  expect(parent.remaining().tokens).toBe(75);
});

it("a child's spending above its limits counts against the parent (PR-35)", () => {
  const parent = new Budget({ tokens: 100 });
  const child = parent.child({ tokens: 10 });
  child.spend({ tokens: 30 });
  expect(parent.remaining().tokens).toBe(70);
  child.close();
  expect(parent.remaining().tokens).toBe(70);
});

it("a budget adds money exactly (PR-35)", () => {
  const budget = new Budget({ costUsd: 1 });
  for (let time = 0; time < 10; time++) budget.take({ costUsd: 0.1 });
  expect(budget.spent.costUsd).toBe(1);
  expect(budget.exhausted).toBe("costUsd");
});

it("wall time passes for all budgets at the same time (PR-35)", () => {
  let now = 0;
  const parent = new Budget({ wallMs: 100 }, { clock: () => now });
  now = 30;
  const child = parent.child({ wallMs: 1_000 });
  const brief = parent.child({ wallMs: 10 });
  expect(parent.remaining().wallMs).toBe(70);
  expect(child.remaining().wallMs).toBe(70);
  now = 50;
  expect([brief.exhausted, child.exhausted, parent.exhausted]).toEqual([
    "wallMs",
    undefined,
    undefined,
  ]);
  now = 100;
  expect([child.exhausted, parent.exhausted]).toEqual(["wallMs", "wallMs"]);
  expect(() => parent.take({ tokens: 1 })).toThrow("budget: the time is up.");
});

it.each([{ tokens: -1 }, { tokens: Number.NaN }, { tokns: 1 }, { costUsd: "1" }])(
  "a budget refuses the limits %j (PR-35)",
  (limits) => {
    expect(() => new Budget(limits as object)).toThrow(
      expect.objectContaining({ code: "BUDGET_INVALID" }),
    );
  },
);

it("take never exceeds a limit, and no spending is lost, in any tree of budgets (PR-35)", () => {
  const kinds: readonly (keyof Spending)[] = ["tokens", "costUsd", "toolCalls", "bytesWritten"];
  const amount = fc.nat({ max: 20 });
  const step = fc.record({
    who: fc.nat({ max: 5 }),
    what: fc.constantFrom("child", "take", "close", "free child"),
    kind: fc.constantFrom(...kinds),
    amount,
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const limits = { tokens: 50, costUsd: 50, toolCalls: 50, bytesWritten: 50 };
      const root = new Budget(limits, { clock: () => 0 });
      const budgets = [root];
      const taken = { tokens: 0, costUsd: 0, toolCalls: 0, bytesWritten: 0 };
      for (const { who, what, kind, amount: wanted } of steps) {
        const budget = budgets[who % budgets.length] ?? root;
        try {
          if (what === "child") budgets.push(budget.child({ [kind]: wanted }));
          if (what === "free child") budgets.push(budget.child());
          if (what === "close" && budget !== root) budget.close();
          if (what === "take") {
            budget.take({ [kind]: wanted });
            taken[kind] += wanted;
          }
        } catch {
          // Refused. A refused `take` must change nothing; the sums below check that.
        }
        for (const each of kinds) {
          expect(root.spent[each]).toBe(taken[each]);
          expect(root.spent[each]).toBeLessThanOrEqual(50);
          expect(root.remaining()[each]).toBeLessThanOrEqual(50 - taken[each]);
        }
      }
      for (const budget of budgets.reverse()) if (budget !== root) budget.close();
      for (const each of kinds) expect(root.remaining()[each]).toBe(50 - taken[each]);
    }),
    { numRuns: 300 },
  );
});
