import { PromptError } from "../error/prompt-error.js";

/** What can run out. Wall time passes for all at once; the others are used up. */
const SPENDABLE = ["tokens", "costUsd", "toolCalls", "bytesWritten"] as const;

export type Spendable = (typeof SPENDABLE)[number];

/** Amounts that were used, or are to be. */
export type Spending = Readonly<Partial<Record<Spendable, number>>>;

/** The most that may be used. What is left out has no limit of its own. */
export interface BudgetLimits extends Spending {
  /** Time since the budget was made. @default no limit */
  readonly wallMs?: number;
}

/** What is left: `Infinity` where nothing limits it. */
export type Remaining = Readonly<Record<Spendable | "wallMs", number>>;

export interface BudgetOptions {
  /** Milliseconds that never go back. @default performance.now */
  readonly clock?: () => number;
}

/**
 * A limit on what work may cost, in a tree: a child takes its limits out of its
 * parent at once and gives back what it did not use when it is closed.
 *
 * So the whole never goes over the limits of the root, however many children
 * work at a time.
 */
export class Budget implements Disposable {
  readonly limits: BudgetLimits;
  readonly #parent: Budget | undefined;
  readonly #clock: () => number;
  readonly #startedAtMs: number;
  readonly #spent = emptyAmounts();
  /** What open children hold and have not spent or given back. */
  readonly #held = emptyAmounts();
  #closed = false;

  constructor(limits: BudgetLimits, options: BudgetOptions = {}) {
    for (const [name, limit] of Object.entries(limits)) checkAmount(name, limit);
    this.limits = Object.freeze({ ...limits });
    this.#clock = options.clock ?? (() => performance.now());
    this.#startedAtMs = this.#clock();
    this.#parent = options instanceof ChildOptions ? options.parent : undefined;
  }

  /**
   * A budget for part of the work. Throws `budget_exhausted` when less than
   * `limits` is left. What `limits` leaves out is taken from this budget as it is used.
   */
  child(limits: BudgetLimits = {}): Budget {
    this.#refuseWhenClosed();
    const child = new Budget(limits, new ChildOptions(this, this.#clock));
    this.#requireLeft(limits);
    for (const name of SPENDABLE) this.#held[name] += toUnits(name, limits[name] ?? 0);
    return child;
  }

  /** Takes amounts that are known before, all of them or none. Throws `budget_exhausted`. */
  take(amounts: Spending): void {
    this.#refuseWhenClosed();
    this.#requireLeft(amounts);
    this.spend(amounts);
  }

  /** Notes what was used already, even when it is more than was left; `exhausted` then says so. */
  spend(amounts: Spending): void {
    for (const name of SPENDABLE) {
      const amount = amounts[name];
      if (amount === undefined) continue;
      checkAmount(name, amount);
      this.#add(name, toUnits(name, amount));
    }
  }

  get spent(): Readonly<Record<Spendable, number>> & { readonly wallMs: number } {
    const { tokens, costUsd, toolCalls, bytesWritten } = this.#spent;
    const wallMs = this.#clock() - this.#startedAtMs;
    return { tokens, costUsd: costUsd / UNITS_PER_USD, toolCalls, bytesWritten, wallMs };
  }

  remaining(): Remaining {
    const left = (name: Spendable) => fromUnits(name, Math.max(0, this.#unitsLeft(name)));
    return {
      tokens: left("tokens"),
      costUsd: left("costUsd"),
      toolCalls: left("toolCalls"),
      bytesWritten: left("bytesWritten"),
      wallMs: Math.max(0, this.#wallMsLeft()),
    };
  }

  /** The first thing that has run out. */
  get exhausted(): Spendable | "wallMs" | undefined {
    if (this.#wallMsLeft() <= 0) return "wallMs";
    return SPENDABLE.find((name) => this.#unitsLeft(name) <= 0);
  }

  /** Gives what is left back to the parent. What is spent afterwards still counts there. */
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

  /** What of its own limit a child still holds of its parent. */
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
      checkAmount(name, amount);
      const left = this.#unitsLeft(name);
      if (toUnits(name, amount) > left) throw exhausted(name, amount, fromUnits(name, left));
    }
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new PromptError("closed", { subject: "budget" });
  }
}

/** Says that a budget has a parent; not exported, so that only `child` can. */
class ChildOptions implements BudgetOptions {
  readonly parent: Budget;
  readonly clock: () => number;

  constructor(parent: Budget, clock: () => number) {
    this.parent = parent;
    this.clock = clock;
  }
}

/** Money is counted in whole billionths, so that ten times 0.1 is 1. */
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

function checkAmount(name: string, amount: unknown): void {
  const known = name === "wallMs" || SPENDABLE.some((each) => each === name);
  if (known && typeof amount === "number" && amount >= 0) return;
  throw new PromptError("budget_invalid", {
    subject: `${name}: ${String(amount)}`,
    reason: `an amount is a number from 0, of wallMs, ${SPENDABLE.join(", ")}`,
  });
}

function exhausted(name: string, wanted: number, left: number): PromptError {
  return new PromptError("budget_exhausted", {
    subject: name,
    reason: `${wanted} wanted and ${Math.max(0, left)} left`,
  });
}
