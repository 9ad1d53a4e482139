import { Section } from "@wink/prompt";
import type { Session } from "@wink/session";
import {
  checkOptions,
  checkValue,
  invalidOption,
  type OptionKinds,
  resolveLimits,
} from "../error/check-options.js";
import { nameSection, TOOL_NAMING, type ToolSectionNaming } from "../error/section-naming.js";
import { Plan } from "./plan.js";
import { DEFAULT_PLANNING_LIMITS } from "./planning-limits.js";
import { planningTools } from "./planning-tools.js";
import { renderPlan } from "./render-plan.js";
import { DEFAULT_STRATEGY, STRATEGIES } from "./strategies.js";

export interface PlanningToolsSectionOptions<Key extends string = "planning">
  extends ToolSectionNaming<Key> {
  /** Stores the plan. */
  readonly session: Session;
  /** @default "react" */
  readonly strategy?: keyof typeof STRATEGIES | undefined;
  /** Limits for the size of a plan, which is part of every prompt. */
  readonly limits?:
    | {
        /** @default 50 */
        readonly maxSteps?: number | undefined;
        /** @default 200 */
        readonly maxTitleCharacters?: number | undefined;
        /** @default 600 */
        readonly maxDetailsCharacters?: number | undefined;
        /** @default 2_000 */
        readonly maxObjectiveCharacters?: number | undefined;
      }
    | undefined;
}

const KINDS: OptionKinds<PlanningToolsSectionOptions> = {
  session: "session",
  strategy: "string",
  limits: "object",
  ...TOOL_NAMING,
};

const INTRODUCTION =
  "Keep a plan for anything that takes more than one step. The current plan is shown here, so you need not remember it.";

// NoInfer: without it, TypeScript would infer the key from the type of the list that the section is in.
/** Lets a model maintain a plan in the session, following a strategy. */
export class PlanningToolsSection<const Key extends string = "planning"> extends Section<
  NoInfer<Key>,
  undefined,
  readonly []
> {
  readonly strategy: keyof typeof STRATEGIES;
  readonly #instructions: string;

  constructor(options: PlanningToolsSectionOptions<Key>) {
    checkOptions("PlanningToolsSection", options, KINDS, ["session"]);
    const { session, strategy = DEFAULT_STRATEGY, toolPrefix = "" } = options;
    if (!Object.hasOwn(STRATEGIES, strategy))
      throw invalidOption(
        "PlanningToolsSection",
        `unknown strategy '${strategy}'`,
        `Use one of ${Object.keys(STRATEGIES).join(", ")}`,
      );
    const limits = resolveLimits("limits", options.limits, DEFAULT_PLANNING_LIMITS);
    const nameTool = (name: string) => toolPrefix + name;
    super({
      ...nameSection(options, "planning", "Planning"),
      tools: planningTools({ limits, nameTool }),
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
    checkValue("PlanningToolsSection.render: session", session, "session");
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
