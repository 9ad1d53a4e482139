import type { ScriptedTurn } from "@wink/adapters/scripted";
import type { Findings } from "./demo-agent.js";

const findings: Findings = {
  summary: "medianDays sorted its numbers as texts, and in the caller's own list.",
  findings: [
    {
      file: "src/delivery.js",
      line: 3,
      severity: "high",
      problem: "sort() without a comparison puts 100 before 9, so the median is wrong.",
    },
    {
      file: "src/delivery.js",
      line: 3,
      severity: "medium",
      problem: "It sorts the caller's own list: a report changes what it is given.",
    },
  ],
};

/** The turns of the demo's model. The results of its calls are not scripted. */
export const DEMO_SCRIPT: readonly ScriptedTurn[] = [
  {
    calls: [
      {
        tool: "planning_setup_plan",
        input: {
          objective: "Make the failing tests pass",
          steps: ["Find the bug", "Repair it", "Keep a snapshot"],
        },
      },
    ],
  },
  { calls: [{ tool: "read_section", input: { section_key: "workspace-digest/details" } }] },
  { calls: [{ tool: "run_tests" }] },
  { calls: [{ tool: "grep", input: { pattern: "sort\\(", path: "src" } }] },
  { calls: [{ tool: "read_file", input: { file_path: "src/delivery.js" } }] },
  {
    text: "While I am here, medianDays could have a shorter name.",
    calls: [
      { tool: "replace_everywhere", input: { find: "medianDays", replace: "median", path: "src" } },
    ],
  },
  {
    text: "The tests import it by that name. Back to the bug.",
    calls: [
      { tool: "planning_update_step", input: { step_id: "1", status: "completed" } },
      {
        tool: "edit_file",
        input: {
          file_path: "src/delivery.js",
          old_string: "days.sort();",
          new_string: "[...days].sort((a, b) => a - b);",
        },
      },
      { tool: "run_tests" },
    ],
  },
  {
    calls: [
      { tool: "planning_update_step", input: { step_id: "2", status: "completed" } },
      {
        tool: "snapshot_create",
        input: { name: "tests-pass", description: "All tests pass." },
      },
      { tool: "planning_update_step", input: { step_id: "3", status: "completed" } },
    ],
  },
  { text: findings },
];
