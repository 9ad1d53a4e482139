import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import type { NameTool } from "../reply/answer-error.js";
import { answering } from "../reply/answering.js";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { AddStep, isStep, Plan, SetupPlan, StepStatus, UpdateStep } from "./plan.js";
import {
  checkStepCount,
  checkTexts,
  DEFAULT_PLANNING_LIMITS,
  type PlanningLimits,
} from "./planning-limits.js";
import { renderPlan } from "./render-plan.js";

/** Shared by the planning tools of one section. */
export interface PlanningToolSettings {
  readonly limits: PlanningLimits;
  readonly nameTool: NameTool;
}

function setupPlanTool({ limits, nameTool }: PlanningToolSettings) {
  return defineTool({
    name: "planning_setup_plan",
    description: "Create a plan with steps. It replaces an existing plan.",
    input: z.object({
      objective: z.string().default("").describe("The goal of the plan."),
      steps: z
        .array(
          z.union([z.string(), z.object({ title: z.string(), details: z.string().default("") })]),
        )
        .default([])
        .describe("The steps in order: titles, or titles with details."),
    }),
    access: "session",
    effects: "workspace",
    handler: answering(nameTool, ({ objective, steps: given }, { session }) => {
      const steps = given.map((step) =>
        typeof step === "string" ? { title: step, details: "" } : step,
      );
      if (objective.trim() === "" && steps.length === 0)
        return fail("Give an objective, or steps, or both.");
      const problem =
        checkStepCount(steps.length, limits) ??
        [{ objective }, ...steps].map((texts) => checkTexts(texts, limits)).find(Boolean);
      if (problem) return problem;
      const replaced = session.slice(Plan).size > 0;
      session.dispatch(SetupPlan({ objective, steps }));
      const how = replaced ? "Replaced the plan by a new one" : "Made a plan";
      return ok(session.state(Plan), `${how}: ${count(steps.length, "step")}.`);
    }),
    render: renderPlanInFull,
  });
}

function addStepTool({ limits, nameTool }: PlanningToolSettings) {
  return defineTool({
    name: "planning_add_step",
    description: "Add a step to the plan, at its end or after another step.",
    input: z.object({
      title: z.string().describe("The task, in a few words."),
      details: z.string().default("").describe("Other notes."),
      after_step_id: z
        .string()
        .optional()
        .describe("Insert it after this step. Without it, the step is added at the end."),
    }),
    access: "session",
    effects: "workspace",
    handler: answering(nameTool, (input, { session }) => {
      const { title, details, after_step_id: afterStepId } = input;
      const plan = session.slice(Plan).latest();
      if (plan === undefined) return noPlan(nameTool);
      if (afterStepId !== undefined && !hasStep(plan, afterStepId))
        return unknownStep(afterStepId, plan);
      const problem =
        checkStepCount(plan.steps.length + 1, limits) ?? checkTexts({ title, details }, limits);
      if (problem) return problem;
      session.dispatch(
        AddStep({ title, details, ...(afterStepId !== undefined && { afterStepId }) }),
      );
      const reopened = plan.status === "completed" ? " The plan is open again." : "";
      return ok(session.state(Plan), `Added step ${plan.steps.length + 1}.${reopened}`);
    }),
    render: renderPlanInFull,
  });
}

function updateStepTool({ limits, nameTool }: PlanningToolSettings) {
  return defineTool({
    name: "planning_update_step",
    description: "Change the status, title or details of a step.",
    input: z.object({
      step_id: z.string().describe("For example 1."),
      status: StepStatus.optional(),
      title: z.string().optional(),
      details: z.string().optional(),
    }),
    access: "session",
    effects: "workspace",
    handler: answering(nameTool, ({ step_id: stepId, ...changes }, { session }) => {
      const plan = session.slice(Plan).latest();
      if (plan === undefined) return noPlan(nameTool);
      const step = plan.steps.find((each) => isStep(each, stepId));
      if (step === undefined) return unknownStep(stepId, plan);
      const given = Object.fromEntries(
        Object.entries(changes).filter(([, value]) => value !== undefined),
      );
      if (Object.keys(given).length === 0) return fail("Give status, title or details to change.");
      const problem = checkTexts(changes, limits);
      if (problem) return problem;
      session.dispatch(UpdateStep({ stepId: step.id, ...given }));
      const after = session.state(Plan);
      return ok(after, `Updated step ${step.id}.${describeTurn(plan, after)}`);
    }),
    render: renderPlanInFull,
  });
}

function readPlanTool({ nameTool }: PlanningToolSettings) {
  return defineTool({
    name: "planning_read_plan",
    description: "Show the plan.",
    input: z.object({}),
    access: "read",
    effects: "workspace",
    handler: answering(nameTool, (_, { session }) => {
      const plan = session.slice(Plan).latest();
      return plan === undefined ? noPlan(nameTool) : ok(plan, "The current plan.");
    }),
    render: renderPlanInFull,
  });
}

/** The four tools, in the order in which a model sees them. */
export function planningTools(settings: PlanningToolSettings) {
  return [
    setupPlanTool(settings),
    addStepTool(settings),
    updateStepTool(settings),
    readPlanTool(settings),
  ] as const;
}

const [setupPlan, addStep, updateStep, readPlan] = planningTools({
  limits: DEFAULT_PLANNING_LIMITS,
  nameTool: (name) => name,
});

/** The handlers of the planning tools, with the default limits: for tests and for your own tools. They take parsed input. */
export const planningHandlers = Object.freeze({
  setupPlan: setupPlan.handler,
  addStep: addStep.handler,
  updateStep: updateStep.handler,
  readPlan: readPlan.handler,
});

function renderPlanInFull(plan: Plan): string {
  return renderPlan(plan);
}

function noPlan(nameTool: NameTool) {
  return fail("No plan exists yet.", {
    hint: `Create one with ${nameTool("planning_setup_plan")}.`,
  });
}

function hasStep({ steps }: Plan, stepId: string): boolean {
  return steps.some((step) => isStep(step, stepId));
}

function unknownStep(id: string, { steps }: Plan) {
  const ids = steps.map((step) => step.id).join(", ") || "none";
  return fail(`Unknown step ${quote(id)}. The steps are: ${ids}.`);
}

function describeTurn(before: Plan, after: Plan): string {
  if (before.status === after.status) return "";
  return after.status === "completed" ? " The plan is completed." : " The plan is open again.";
}
