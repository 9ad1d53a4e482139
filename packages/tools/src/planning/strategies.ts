export const DEFAULT_STRATEGY = "react";

/** The instructions of each strategy. `{setup}`, `{add}`, `{update}` and `{read}` are replaced by tool names. */
export const STRATEGIES = Object.freeze({
  react: [
    "Plan as you go. Begin with a few steps ({setup}), and expect to learn more as you work.",
    "For each step: think about what you know, do one thing, check the result, and write the outcome into the step ({update}).",
    "When the outcome shows something new, add a step for it ({add}) or skip one that is no longer useful. Continue until no step is open.",
  ].join("\n"),
  "chain-of-thought": [
    "Think the whole task through before you begin, and write all of it down as steps in order ({setup}).",
    "Then carry the steps out one after the other: set a step to in_progress when you begin it and to completed when it is done ({update}).",
    "Change the plan only when a step turns out to be impossible.",
  ].join("\n"),
  "plan-act-reflect": [
    "Work in rounds of three. Plan: write down the steps of this round ({setup}, later {add}).",
    "Act: carry them out, and keep their status up to date ({update}).",
    "Reflect: after each step ask whether the result brings the objective nearer and what could be wrong with it; write the answer into the step's details, and use it to plan the next round.",
  ].join("\n"),
  "goal-decompose-route-synthesise": [
    "State the goal as the objective, and say there how you will know that it is reached ({setup}).",
    "Decompose it into parts that can be done and checked separately, one step each ({add}).",
    "Route each part to the tool or the knowledge that suits it best, and note which in the step's details ({update}).",
    "Synthesise: when the parts are done, combine their results, check them against the goal, and add steps for missing parts.",
  ].join("\n"),
});
