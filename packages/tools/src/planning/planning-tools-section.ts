import { Section } from "@wink/prompt";
import type { Session } from "@wink/session";
import { Plan } from "./plan.js";
import { planningTools } from "./planning-tools.js";
import { renderPlan } from "./render-plan.js";
import { DEFAULT_STRATEGY, type PlanningStrategy, STRATEGIES } from "./strategies.js";

export interface PlanningToolsSectionOptions<Key extends string = "planning"> {
  /** Stores the plan. */
  readonly session: Session;
  /** @default "react" */
  readonly strategy?: PlanningStrategy | undefined;
  /** @default "" */
  readonly toolPrefix?: string | undefined;
  /** @default "planning" */
  readonly key?: Key | undefined;
  /** @default "Planning" */
  readonly title?: string | undefined;
}

const INTRODUCTION =
  "Keep a plan for anything that takes more than one step. The current plan is shown here, so you need not remember it.";

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/** Lets a model maintain a plan in the session, following a strategy. */
export class PlanningToolsSection<const Key extends string = "planning"> extends Section<
  NoInfer<Key>,
  undefined,
  readonly []
> {
  readonly strategy: PlanningStrategy;
  readonly #instructions: string;

  constructor(options: PlanningToolsSectionOptions<Key>) {
    const { session, strategy = DEFAULT_STRATEGY, toolPrefix = "", title = "Planning" } = options;
    if (!Object.hasOwn(STRATEGIES, strategy))
      throw new RangeError(
        `strategy: unknown strategy '${strategy}'. Use one of ${Object.keys(STRATEGIES).join(", ")}.`,
      );
    const nameTool = (name: string) => toolPrefix + name;
    super({
      // Without `key`, `Key` is its default "planning".
      key: options.key ?? ("planning" as Key),
      title,
      toolPrefix,
      tools: planningTools(nameTool),
      slices: [Plan],
    });
    this.strategy = strategy;
    this.#instructions = `${INTRODUCTION}\n\n${withTools(STRATEGIES[strategy], nameTool)}`;
    session.install(Plan);
  }

  override get source(): string {
    return this.#instructions;
  }

  override render(_: Readonly<Record<string, unknown>>, session: Session): string {
    const plan = session.slice(Plan).latest();
    if (plan === undefined) return this.#instructions;
    return `${this.#instructions}\n\nThe plan now:\n\n${renderPlan(plan, { details: false })}`;
  }
}

const TOOLS: Readonly<Record<string, string>> = {
  "{setup}": "planning_setup_plan",
  "{add}": "planning_add_step",
  "{update}": "planning_update_step",
  "{read}": "planning_read_plan",
};

function withTools(text: string, nameTool: (name: string) => string): string {
  return text.replaceAll(/\{\w+\}/g, (slot) => `\`${nameTool(TOOLS[slot] ?? slot)}\``);
}
