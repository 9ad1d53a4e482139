import { checkOptions, requireFunction, showValue } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";

/** The consumable amounts. Wall time is separate: it passes for all budgets at the same time. */
const SPENDABLE = ["tokens", "costUsd", "toolCalls", "bytesWritten"] as const;

const LIMITS = ["wallMs", ...SPENDABLE] as const;

type Spendable = keyof Spending;

/** Amounts that were used or will be used. */
export interface Spending {
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly toolCalls?: number;
  readonly bytesWritten?: number;
}

/** The maximum amounts. A name that is missing here is limited only by the parent budget. */
export interface BudgetLimits extends Spending {
  /** Time since the budget was created. @default no limit */
  readonly wallMs?: number;
}

/**
 * Limits the cost of work. Budgets form a tree: a child reserves its limits from its parent when it
 * is created, and returns the unused rest when it is closed.
 *
 * So all children together never exceed the limits of the root, even when they run concurrently.
 */
export class Budget implements Disposable {
  readonly limits: BudgetLimits;
  readonly #parent: Budget | undefined;
  readonly #clock: () => number;
  readonly #startedAtMs: number;
  readonly #spent = emptyAmounts();
  /** Amounts that open children have reserved and not yet spent or returned. */
  readonly #held = emptyAmounts();
  #closed = false;

  constructor(
    limits: BudgetLimits,
    options: {
      /** A monotonic clock in milliseconds. @default performance.now */
      readonly clock?: () => number;
    } = {},
  ) {
    checkAmounts(limits, "limit", LIMITS);
    const parent = options instanceof ChildOptions ? options.parent : undefined;
    const known = parent === undefined ? ["clock"] : ["clock", "parent"];
    checkOptions("budget", options, known, "BUDGET_INVALID");
    this.limits = Object.freeze({ ...limits });
    if (options.clock !== undefined) requireFunction("budget: clock", options.clock, "a function");
    this.#clock = options.clock ?? (() => performance.now());
    this.#startedAtMs = this.#clock();
    this.#parent = parent;
  }

  /**
   * Creates a budget for part of the work. Throws `BUDGET_EXHAUSTED` if less than `limits` remains.
   * Amounts without a limit are taken from this budget when they are used.
   */
  child(limits: BudgetLimits = {}): Budget {
    this.#refuseWhenClosed();
    const child = new Budget(limits, new ChildOptions(this, this.#clock));
    this.#requireLeft(limits);
    for (const name of SPENDABLE) this.#held[name] += toUnits(name, limits[name] ?? 0);
    return child;
  }

  /**
   * Takes amounts that are known in advance: all of them, or none. Throws `BUDGET_EXHAUSTED` if too
   * little remains.
   */
  take(amounts: Spending): void {
    this.#refuseWhenClosed();
    checkAmounts(amounts, "amount", SPENDABLE);
    this.#requireLeft(amounts);
    this.spend(amounts);
  }

  /**
   * Records amounts that are already used, even if they exceed the limit. `exhausted` then names
   * the limit.
   */
  spend(amounts: Spending): void {
    checkAmounts(amounts, "amount", SPENDABLE);
    for (const name of SPENDABLE) this.#add(name, toUnits(name, amounts[name] ?? 0));
  }

  get spent(): Readonly<Record<keyof BudgetLimits, number>> {
    const { tokens, costUsd, toolCalls, bytesWritten } = this.#spent;
    const wallMs = this.#clock() - this.#startedAtMs;
    return { tokens, costUsd: costUsd / UNITS_PER_USD, toolCalls, bytesWritten, wallMs };
  }

  /** The remaining amounts. `Infinity` means unlimited. */
  remaining(): Readonly<Record<keyof BudgetLimits, number>> {
    const left = (name: Spendable) => fromUnits(name, Math.max(0, this.#unitsLeft(name)));
    return {
      tokens: left("tokens"),
      costUsd: left("costUsd"),
      toolCalls: left("toolCalls"),
      bytesWritten: left("bytesWritten"),
      wallMs: Math.max(0, this.#wallMsLeft()),
    };
  }

  /** The first limit that is used up. */
  get exhausted(): keyof BudgetLimits | undefined {
    if (this.#wallMsLeft() <= 0) return "wallMs";
    return SPENDABLE.find((name) => this.#unitsLeft(name) <= 0);
  }

  /** Returns the unused reservation to the parent. Later spending still counts in the parent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#parent === undefined) return;
    for (const name of SPENDABLE) this.#parent.#held[name] -= this.#reservedLeft(name);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #add(name: Spendable, units: number): void {
    const covered = this.#closed ? 0 : Math.min(units, this.#reservedLeft(name));
    this.#spent[name] += units;
    if (this.#parent === undefined) return;
    this.#parent.#held[name] -= covered;
    this.#parent.#add(name, units);
  }

  /** The unspent part of this budget's reservation in its parent. */
  #reservedLeft(name: Spendable): number {
    const limit = this.limits[name];
    return limit === undefined ? 0 : Math.max(0, toUnits(name, limit) - this.#spent[name]);
  }

  #unitsLeft(name: Spendable): number {
    const limit = this.limits[name];
    if (limit !== undefined) return toUnits(name, limit) - this.#spent[name] - this.#held[name];
    const above = this.#parent ? this.#parent.#unitsLeft(name) : Number.POSITIVE_INFINITY;
    return above - this.#held[name];
  }

  #wallMsLeft(): number {
    const own = (this.limits.wallMs ?? Number.POSITIVE_INFINITY) - this.spent.wallMs;
    return this.#parent ? Math.min(own, this.#parent.#wallMsLeft()) : own;
  }

  #requireLeft(amounts: BudgetLimits): void {
    if (this.#wallMsLeft() <= 0) throw exhausted("wallMs", 0, 0);
    for (const name of SPENDABLE) {
      const amount = amounts[name] ?? 0;
      const left = this.#unitsLeft(name);
      if (toUnits(name, amount) > left) throw exhausted(name, amount, fromUnits(name, left));
    }
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new PromptError("CLOSED", "budget");
  }
}

/** Carries the parent of a budget. Not exported, so that only `child` can set a parent. */
class ChildOptions {
  readonly parent: Budget;
  readonly clock: () => number;

  constructor(parent: Budget, clock: () => number) {
    this.parent = parent;
    this.clock = clock;
  }
}

/** Money is counted in integer billionths of a dollar, so that ten times 0.1 is exactly 1. */
const UNITS_PER_USD = 1_000_000_000;

function toUnits(name: Spendable, amount: number): number {
  return name === "costUsd" ? Math.round(amount * UNITS_PER_USD) : amount;
}

function fromUnits(name: Spendable, units: number): number {
  return name === "costUsd" ? units / UNITS_PER_USD : units;
}

function emptyAmounts(): Record<Spendable, number> {
  return { tokens: 0, costUsd: 0, toolCalls: 0, bytesWritten: 0 };
}

function checkAmounts(given: unknown, kind: "limit" | "amount", names: readonly string[]): void {
  const use = `Use ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  if (typeof given !== "object" || given === null)
    throw invalid(`${kind}s must be an object, got ${showValue(given)}. ${use}`);
  for (const [name, amount] of Object.entries(given)) {
    if (!names.includes(name)) throw invalid(`unknown ${kind} '${name}'. ${use}`);
    // Ignore an unknown amount, but refuse a limit that is `undefined`: it would silently limit nothing.
    if (amount === undefined && kind === "amount") continue;
    if (!(typeof amount === "number" && amount >= 0))
      throw invalid(`${name} must be a number of at least 0, got ${showValue(amount)}`);
  }
}

function invalid(reason: string): PromptError {
  return new PromptError("BUDGET_INVALID", "budget", reason);
}

function exhausted(name: string, wanted: number, left: number): PromptError {
  const reason =
    name === "wallMs" ? "the time is up" : `${wanted} ${name} wanted, ${Math.max(0, left)} left`;
  return new PromptError("BUDGET_EXHAUSTED", "budget", reason);
}
