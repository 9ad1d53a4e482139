import { defineEvent, defineState } from "@wink/session";
import { z } from "zod";

export const StepStatus = z.enum(["pending", "in_progress", "completed", "skipped"]);
export type StepStatus = z.infer<typeof StepStatus>;

const PlanStepSchema = z.object({
  /** Never changes within a plan, even when other steps are inserted. */
  id: z.string(),
  title: z.string(),
  details: z.string(),
  status: StepStatus,
});
export type PlanStep = z.infer<typeof PlanStepSchema>;

export const PlanSchema = z.object({
  objective: z.string(),
  /** `completed` while all steps are completed or skipped. */
  status: z.enum(["active", "completed"]),
  steps: z.array(PlanStepSchema),
});

const NewStep = z.object({ title: z.string(), details: z.string() });

/** A plan was created. It replaces the previous one. */
export const SetupPlan = defineEvent(
  "plan.setup",
  z.object({ objective: z.string(), steps: z.array(NewStep) }),
);

/** A step was added after another one or at the end. */
export const AddStep = defineEvent(
  "plan.add-step",
  NewStep.extend({ afterStepId: z.string().optional() }),
);

/** The status, title or details of a step changed. */
export const UpdateStep = defineEvent(
  "plan.update-step",
  z.object({
    stepId: z.string(),
    status: StepStatus.optional(),
    title: z.string().optional(),
    details: z.string().optional(),
  }),
);

export type Plan = z.infer<typeof PlanSchema>;

/** The model's plan. There is at most one. */
export const Plan = defineState({
  name: "plan",
  schema: PlanSchema,
  initial: { objective: "", status: "active", steps: [] },
  reducers: (on) => [
    on(SetupPlan, (_, { objective, steps }) => {
      const empty: Plan = { objective, status: "active", steps: [] };
      return steps.reduce((plan, step) => insert(plan, step, undefined), empty);
    }),
    on(AddStep, (plan, { afterStepId, ...step }) => judge(insert(plan, step, afterStepId))),
    on(UpdateStep, (plan, { stepId, ...changes }) =>
      judge({
        ...plan,
        steps: plan.steps.map((step) => (isStep(step, stepId) ? change(step, changes) : step)),
      }),
    ),
  ],
});

function insert(plan: Plan, step: z.infer<typeof NewStep>, afterStepId: string | undefined): Plan {
  // Steps are never removed, so the next number is not in use.
  const added: PlanStep = { id: `${plan.steps.length + 1}`, ...step, status: "pending" };
  const after = plan.steps.findIndex((each) => isStep(each, afterStepId));
  const at = after < 0 ? plan.steps.length : after + 1;
  return { ...plan, steps: [...plan.steps.slice(0, at), added, ...plan.steps.slice(at)] };
}

/** Whether this is the id of the step. `s1` means `1`; plans of earlier versions contain such ids. */
export function isStep({ id }: PlanStep, given: string | undefined): boolean {
  return given !== undefined && numberOf(id) === numberOf(given);
}

function numberOf(id: string): string {
  return id.replace(/^s(?=\d+$)/, "");
}

type Changes = {
  readonly [Field in "status" | "title" | "details"]?: PlanStep[Field] | undefined;
};

function change(step: PlanStep, { status, title, details }: Changes): PlanStep {
  return {
    id: step.id,
    title: title ?? step.title,
    details: details ?? step.details,
    status: status ?? step.status,
  };
}

/** Derives the status from the steps, because models forget to set it. */
function judge(plan: Plan): Plan {
  const isDone = plan.steps.length > 0 && plan.steps.every(isOver);
  return { ...plan, status: isDone ? "completed" : "active" };
}

export function isOver({ status }: PlanStep): boolean {
  return status === "completed" || status === "skipped";
}
