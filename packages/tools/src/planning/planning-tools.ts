import { defineTool, fail, ok, type Tool, type ToolContext } from "@wink/prompt";
import { z } from "zod";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import { AddStep, Plan, SetupPlan, StepStatus, UpdateStep } from "./plan.js";
import { checkStepCount, checkTexts } from "./planning-limits.js";
import { renderPlan } from "./render-plan.js";

export const SetupPlanInput = z.object({
  objective: z.string().default("").describe("The goal of the plan."),
  steps: z
    .array(z.union([z.string(), z.object({ title: z.string(), details: z.string().default("") })]))
    .default([])
    .describe("The steps in order: titles, or titles with details."),
});

export const AddStepInput = z.object({
  title: z.string().describe("The task, in a few words."),
  details: z.string().default("").describe("Other notes."),
  after_step_id: z
    .string()
    .optional()
    .describe("Insert it after this step. Without it, the step is added at the end."),
});

export const UpdateStepInput = z.object({
  step_id: z.string().describe("For example s1."),
  status: StepStatus.optional(),
  title: z.string().optional(),
  details: z.string().optional(),
});

export const ReadPlanInput = z.object({});

/** Returns the name of a tool in its section, with the prefix, for use in hints. */
type NameTool = (name: string) => string;
const ownName: NameTool = (name) => name;

export function setupPlanHandlerFor() {
  return toolHandler({
    input: SetupPlanInput,
    needsFiles: false,
    run({ objective, steps: given }, { session }) {
      const steps = given.map((step) =>
        typeof step === "string" ? { title: step, details: "" } : step,
      );
      if (objective.trim() === "" && steps.length === 0)
        return fail("Give an objective, or steps, or both.");
      const problem =
        checkStepCount(steps.length) ?? checkTexts({ objective }) ?? firstProblem(steps);
      if (problem) return problem;
      const replaced = session.slice(Plan).size > 0;
      session.dispatch(SetupPlan({ objective, steps }));
      const how = replaced ? "Replaced the plan by a new one" : "Made a plan";
      return ok(session.state(Plan), `${how}: ${count(steps.length, "step")}.`);
    },
  });
}

export function addStepHandlerFor(nameTool = ownName) {
  return toolHandler({
    input: AddStepInput,
    needsFiles: false,
    run({ title, details, after_step_id: afterStepId }, { session }) {
      const plan = session.slice(Plan).latest();
      if (plan === undefined) return noPlan(nameTool);
      if (afterStepId !== undefined && !plan.steps.some(({ id }) => id === afterStepId))
        return unknownStep(afterStepId, plan);
      const problem = checkStepCount(plan.steps.length + 1) ?? checkTexts({ title, details });
      if (problem) return problem;
      session.dispatch(
        AddStep({ title, details, ...(afterStepId !== undefined && { afterStepId }) }),
      );
      const reopened = plan.status === "completed" ? " The plan is open again." : "";
      return ok(session.state(Plan), `Added step s${plan.steps.length + 1}.${reopened}`);
    },
  });
}

export function updateStepHandlerFor(nameTool = ownName) {
  return toolHandler({
    input: UpdateStepInput,
    needsFiles: false,
    run({ step_id: stepId, ...changes }, { session }) {
      const plan = session.slice(Plan).latest();
      if (plan === undefined) return noPlan(nameTool);
      if (!plan.steps.some(({ id }) => id === stepId)) return unknownStep(stepId, plan);
      const given = Object.fromEntries(
        Object.entries(changes).filter(([, value]) => value !== undefined),
      );
      if (Object.keys(given).length === 0) return fail("Give status, title or details to change.");
      const problem = checkTexts(changes);
      if (problem) return problem;
      session.dispatch(UpdateStep({ stepId, ...given }));
      const after = session.state(Plan);
      return ok(after, `Updated step ${stepId}.${turn(plan, after)}`);
    },
  });
}

export function readPlanHandlerFor(nameTool = ownName) {
  return toolHandler({
    input: ReadPlanInput,
    needsFiles: false,
    run(_, { session }: ToolContext) {
      const plan = session.slice(Plan).latest();
      return plan === undefined ? noPlan(nameTool) : ok(plan, "The current plan.");
    },
  });
}

/** The four tools, in the order in which a model sees them. */
export function planningTools(nameTool: NameTool): readonly Tool[] {
  const render = (plan: Plan) => renderPlan(plan);
  return [
    defineTool({
      name: "planning_setup_plan",
      description: "Create a plan with steps. It replaces an existing plan.",
      input: SetupPlanInput,
      access: "session",
      handler: setupPlanHandlerFor(),
      render,
    }),
    defineTool({
      name: "planning_add_step",
      description: "Add a step to the plan, at its end or after another step.",
      input: AddStepInput,
      access: "session",
      handler: addStepHandlerFor(nameTool),
      render,
    }),
    defineTool({
      name: "planning_update_step",
      description: "Change the status, title or details of a step.",
      input: UpdateStepInput,
      access: "session",
      handler: updateStepHandlerFor(nameTool),
      render,
    }),
    defineTool({
      name: "planning_read_plan",
      description: "Show the plan.",
      input: ReadPlanInput,
      access: "read",
      handler: readPlanHandlerFor(nameTool),
      render,
    }),
    // The list mixes tools with different input and value types.
  ] as unknown as readonly Tool[];
}

function noPlan(nameTool: NameTool) {
  return fail("No plan exists yet.", {
    hint: `Create one with ${nameTool("planning_setup_plan")}.`,
  });
}

function unknownStep(id: string, { steps }: Plan) {
  const ids = steps.map((step) => step.id).join(", ") || "none";
  return fail(`Unknown step ${quote(id)}. The steps are: ${ids}.`);
}

function firstProblem(steps: readonly { readonly title: string; readonly details: string }[]) {
  for (const step of steps) {
    const problem = checkTexts(step);
    if (problem) return problem;
  }
  return undefined;
}

function turn(before: Plan, after: Plan): string {
  if (before.status === after.status) return "";
  return after.status === "completed" ? " The plan is completed." : " The plan is open again.";
}
