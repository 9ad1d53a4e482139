import { expectTypeOf } from "vitest";
import { z } from "zod";
import { defineEvent, defineState, Session } from "../index.js";

// The project's own example of a plan.
const PlanSchema = z.object({
  objective: z.string(),
  status: z.enum(["active", "completed"]),
  steps: z.array(
    z.object({ id: z.number(), title: z.string(), status: z.enum(["pending", "completed"]) }),
  ),
});
const SetupPlan = defineEvent(
  "plan.setup",
  z.object({ objective: z.string(), steps: z.array(z.string()) }),
);
const AddStep = defineEvent("plan.add-step", z.object({ titles: z.array(z.string()) }));
const UpdateStep = defineEvent(
  "plan.update-step",
  z.object({
    id: z.number(),
    title: z.string().optional(),
    status: z.enum(["pending", "completed"]).optional(),
  }),
);

export type Plan = z.infer<typeof PlanSchema>;

/** The current plan of the model, if any. */
export const Plan = defineState({
  name: "plan",
  schema: PlanSchema,
  initial: { objective: "", status: "active", steps: [] },
  reducers: (on) => [
    on(SetupPlan, (_, { objective, steps }) =>
      withSteps({ objective, status: "active", steps: [] }, steps),
    ),
    on(AddStep, (plan, { titles }) => withSteps(plan, titles)),
    on(UpdateStep, (plan, { id, title, status }) => {
      const steps = plan.steps.map((step) =>
        step.id === id ? { id, title: title ?? step.title, status: status ?? step.status } : step,
      );
      // The plan is completed automatically, because models forget to report it.
      const done = steps.length > 0 && steps.every((step) => step.status === "completed");
      return { ...plan, steps, status: done ? "completed" : "active" };
    }),
  ],
});

function withSteps(plan: Plan, titles: readonly string[]): Plan {
  const nextId = Math.max(0, ...plan.steps.map((step) => step.id)) + 1;
  const added = titles.map((title, index): Plan["steps"][number] => ({
    id: nextId + index,
    title,
    status: "pending",
  }));
  return { ...plan, status: "active", steps: [...plan.steps, ...added] };
}

const session = new Session();
session.dispatch(AddStep({ titles: ["Read the README"] }));
expectTypeOf(session.slice(Plan).latest()).toEqualTypeOf<Plan | undefined>();
expectTypeOf(session.slice(Plan).size === 0).toEqualTypeOf<boolean>();
expectTypeOf(session.state(Plan)).toEqualTypeOf<Plan>();
expectTypeOf(AddStep.schema.parse({})).toEqualTypeOf<{ titles: string[] }>();
