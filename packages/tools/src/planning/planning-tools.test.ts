import { Prompt, PromptTemplate } from "@wink/prompt";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { callTool } from "../reply/call-tool.test.support.js";
import { Plan, UpdateStep } from "./plan.js";
import { DEFAULT_PLANNING_LIMITS } from "./planning-limits.js";
import { planningHandlers } from "./planning-tools.js";
import { PlanningToolsSection } from "./planning-tools-section.js";
import { renderPlan } from "./render-plan.js";
import { STRATEGIES } from "./strategies.js";

function openPlanning() {
  const session = new Session();
  const section = new PlanningToolsSection({ session });
  const context = createToolContext({ session });
  const ask = async (name: string, input: unknown) =>
    (
      await callTool(
        section.tools.find((tool) => tool.name === `planning_${name}`),
        input,
        context,
      )
    ).text;
  return { session, section, ask };
}

it("planning_setup_plan creates a plan from titles and from steps with details, and shows it (TL-20)", async () => {
  const { ask, session } = openPlanning();
  const steps = ["Read", { title: "Write", details: "tests first\nthen code" }];
  expect(await ask("setup_plan", { objective: "Fix it", steps })).toBe(
    "Made a plan: 2 steps.\n\nObjective: Fix it\n[ ] 1 Read\n[ ] 2 Write\n      tests first\n      then code\n0 of 2 done.",
  );
  expect(session.slice(Plan).latest()).toEqual({
    objective: "Fix it",
    status: "active",
    steps: [
      { id: "1", title: "Read", details: "", status: "pending" },
      { id: "2", title: "Write", details: "tests first\nthen code", status: "pending" },
    ],
  });
  expect(await ask("setup_plan", { steps: ["Fresh"] })).toBe(
    "Replaced the plan by a new one: 1 step.\n\n[ ] 1 Fresh\n0 of 1 done.",
  );
});

it("planning_add_step inserts after a step and changes no id (TL-21)", async () => {
  const { ask } = openPlanning();
  await ask("setup_plan", { steps: ["one", "two"] });
  expect(await ask("add_step", { title: "between", after_step_id: "1" })).toBe(
    "Added step 3.\n\n[ ] 1 one\n[ ] 3 between\n[ ] 2 two\n0 of 3 done.",
  );
  expect(await ask("add_step", { title: "last" })).toBe(
    "Added step 4.\n\n[ ] 1 one\n[ ] 3 between\n[ ] 2 two\n[ ] 4 last\n0 of 4 done.",
  );
});

it("a plan completes automatically and can be reopened (TL-22)", async () => {
  const { ask, session } = openPlanning();
  await ask("setup_plan", { steps: ["one", "two"] });
  expect(await ask("update_step", { step_id: "1", status: "skipped" })).toBe(
    "Updated step 1.\n\n[-] 1 one\n[ ] 2 two\n1 of 2 done.",
  );
  expect(await ask("update_step", { step_id: "2", status: "completed" })).toBe(
    "Updated step 2. The plan is completed.\n\n[-] 1 one\n[x] 2 two\n2 of 2 done: the plan is completed.",
  );
  expect(session.state(Plan).status).toBe("completed");
  expect(
    await ask("update_step", { step_id: "2", status: "in_progress", title: "two again" }),
  ).toBe("Updated step 2. The plan is open again.\n\n[-] 1 one\n[>] 2 two again\n1 of 2 done.");
  await ask("update_step", { step_id: "2", status: "completed" });
  expect(await ask("add_step", { title: "three" })).toMatch(
    /^Added step 3\. The plan is open again\./,
  );
});

const LONG = "x".repeat(3_000);
it.each([
  {
    tool: "add_step",
    input: { title: "x" },
    answer: "No plan exists yet.\nCreate one with planning_setup_plan.",
    bare: true,
  },
  {
    tool: "update_step",
    input: { step_id: "1", status: "completed" },
    answer: "No plan exists yet.\nCreate one with planning_setup_plan.",
    bare: true,
  },
  {
    tool: "read_plan",
    input: {},
    answer: "No plan exists yet.\nCreate one with planning_setup_plan.",
    bare: true,
  },
  { tool: "setup_plan", input: {}, answer: "Give an objective, or steps, or both." },
  { tool: "setup_plan", input: { steps: ["a", " "] }, answer: "A step needs a title." },
  {
    tool: "setup_plan",
    input: { steps: Array(51).fill("a") },
    answer:
      "That would be 51 steps, and a plan has at most 50.\nPlan in larger steps, and put the small ones into their details.",
  },
  {
    tool: "setup_plan",
    input: { objective: LONG },
    answer: "The objective has 3,000 characters, and may have at most 2000.",
  },
  {
    tool: "setup_plan",
    input: { steps: [{ title: "a", details: "\ud800" }] },
    answer: "The details must be well-formed text.",
  },
  {
    tool: "add_step",
    input: { title: LONG },
    answer: "The title has 3,000 characters, and may have at most 200.",
  },
  {
    tool: "add_step",
    input: { title: "a", details: LONG },
    answer: "The details have 3,000 characters, and may have at most 600.",
  },
  {
    tool: "add_step",
    input: { title: "a", after_step_id: "9" },
    answer: "Unknown step '9'. The steps are: 1.",
  },
  {
    tool: "update_step",
    input: { step_id: "__proto__", status: "completed" },
    answer: "Unknown step '__proto__'. The steps are: 1.",
  },
  {
    tool: "update_step",
    input: { step_id: "1" },
    answer: "Give status, title or details to change.",
  },
  { tool: "update_step", input: { step_id: "1", title: "" }, answer: "A step needs a title." },
  {
    tool: "update_step",
    input: { step_id: "1", status: "done" },
    answer:
      'The input does not fit planning_update_step.\n- status: Invalid option: expected one of "pending"|"in_progress"|"completed"|"skipped"\nCall it again with these corrected.',
  },
])(
  "planning_$tool answers an impossible request and changes nothing (TL-2, TL-23)",
  async ({ tool, input, answer, bare }) => {
    const { ask, session } = openPlanning();
    if (!bare) await ask("setup_plan", { steps: ["one"] });
    const { sequence } = session;
    expect(await ask(tool, input)).toBe(answer);
    expect(session.sequence).toBe(sequence);
  },
);

it("the largest allowed plan fits into an answer (TL-23)", async () => {
  const { ask } = openPlanning();
  const { maxSteps, maxTitleCharacters, maxDetailsCharacters, maxObjectiveCharacters } =
    DEFAULT_PLANNING_LIMITS;
  const step = { title: "t".repeat(maxTitleCharacters), details: "d".repeat(maxDetailsCharacters) };
  const answer = await ask("setup_plan", {
    objective: "o".repeat(maxObjectiveCharacters),
    steps: Array(maxSteps).fill(step),
  });
  expect(answer).toMatch(/^Made a plan: 50 steps\./);
  expect(await ask("read_plan", {})).toContain("0 of 50 done.");
  expect(await ask("add_step", { title: "one more" })).toMatch(/^That would be 51 steps/);
});

it.each(Object.entries(STRATEGIES))(
  "the strategy %s has its own instructions, which use the real tool names (TL-24)",
  (strategy) => {
    const session = new Session();
    // The keys of the table are the strategies.
    const section = new PlanningToolsSection({
      session,
      strategy: strategy as keyof typeof STRATEGIES,
      toolPrefix: "my_",
    });
    const prompt = new Prompt(
      new PromptTemplate({ ns: "tests", key: "plan", sections: [section] }),
    );
    const { text, tools } = prompt.bind().render({ session });
    expect(text).toContain("`my_planning_setup_plan`");
    expect(text).not.toMatch(/\{\w+\}/);
    expect(tools.map((tool) => tool.name)).toEqual([
      "my_planning_setup_plan",
      "my_planning_add_step",
      "my_planning_update_step",
      "my_planning_read_plan",
    ]);
    expect(new Set(Object.values(STRATEGIES)).size).toBe(4);
  },
);

it("the prompt shows the current plan (TL-24)", async () => {
  const { section, session, ask } = openPlanning();
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "plan", sections: [section] }));
  expect(prompt.bind().render({ session }).text).not.toContain("The plan now");
  await ask("setup_plan", { steps: [{ title: "one", details: "long" }] });
  expect(prompt.bind().render({ session }).text).toContain(
    "The plan now:\n\n[ ] 1 one\n0 of 1 done.",
  );
});

it("PlanningToolsSection refuses an unknown strategy (TL-24)", () => {
  const make = () =>
    new PlanningToolsSection({ session: new Session(), strategy: "guess" as "react" });
  expect(make).toThrow(
    "PlanningToolsSection: unknown strategy 'guess'. Use one of react, chain-of-thought",
  );
});

it("renderPlan escapes line breaks in titles (TL-20)", () => {
  const plan: Plan = {
    objective: "",
    status: "active",
    steps: [{ id: "1", title: "a\u001b[31m\n[x] 2 fake", details: "", status: "in_progress" }],
  };
  expect(renderPlan(plan)).toBe("[>] 1 a\\u{1b}[31m\\n[x] 2 fake\n0 of 1 done.");
  expect(renderPlan({ objective: "", status: "active", steps: [] })).toBe("No steps yet.");
});

it.each(["setup_plan", "add_step", "update_step", "read_plan"])(
  "planning_%s needs no filesystem and answers every kind of invalid arguments (TL-2)",
  async (name) => {
    const { ask } = openPlanning();
    for (const input of [null, 5, [], "x", { title: {} }, { step_id: 3 }, { steps: [5] }])
      expect(await ask(name, input)).toMatch(/./);
  },
);

it("planningHandlers take parsed input and share the answers of the tools (TL-2)", async () => {
  const context = createToolContext();
  const { setupPlan, addStep, updateStep, readPlan } = planningHandlers;
  context.session.install(Plan);
  expect(await readPlan({}, context)).toMatchObject({ message: "No plan exists yet." });
  await setupPlan({ objective: "Release", steps: ["Test"] }, context);
  await addStep({ title: "Tag", details: "v1.0" }, context);
  expect(await updateStep({ step_id: "1", status: "completed" }, context)).toMatchObject({
    message: "Updated step 1.",
    value: { objective: "Release", steps: [{ status: "completed" }, { title: "Tag" }] },
  });
});

it("the limits of a plan are options of the section (TL-23)", async () => {
  const session = new Session();
  const limits = { maxSteps: 1, maxTitleCharacters: 3, maxDetailsCharacters: 4 };
  const [setup] = new PlanningToolsSection({ session, limits }).tools;
  const answer = async (input: unknown) =>
    (await callTool(setup, input, createToolContext({ session }))).text;
  expect(await answer({ steps: ["a", "b"] })).toMatch(
    /^That would be 2 steps, and a plan has at most 1\./,
  );
  expect(await answer({ steps: ["abcd"] })).toBe(
    "The title has 4 characters, and may have at most 3.",
  );
  expect(await answer({ steps: [{ title: "a", details: "12345" }] })).toBe(
    "The details have 5 characters, and may have at most 4.",
  );
  expect(await answer({ steps: ["abc"] })).toMatch(/^Made a plan: 1 step\./);
});

it("step ids are 1, 2 and so on, and s1 means 1, also in plans of earlier versions (TL-21)", async () => {
  const { ask, session } = openPlanning();
  await ask("setup_plan", { steps: ["one", "two"] });
  expect(await ask("update_step", { step_id: "s2", status: "completed" })).toMatch(
    /^Updated step 2\.\n\n\[ \] 1 one\n\[x\] 2 two\n/,
  );
  expect(await ask("add_step", { title: "three", after_step_id: "s1" })).toMatch(
    /^Added step 3\.\n\n\[ \] 1 one\n\[ \] 3 three\n/,
  );
  expect(await ask("update_step", { step_id: "s", status: "completed" })).toBe(
    "Unknown step 's'. The steps are: 1, 3, 2.",
  );
  const old = { id: "s1", title: "old", details: "", status: "pending" } as const;
  session.slice(Plan).seed({ objective: "", status: "active", steps: [old] });
  session.dispatch(UpdateStep({ stepId: "s1", status: "in_progress" }));
  expect(await ask("update_step", { step_id: "1", status: "completed" })).toBe(
    "Updated step s1. The plan is completed.\n\n[x] s1 old\n1 of 1 done: the plan is completed.",
  );
});
