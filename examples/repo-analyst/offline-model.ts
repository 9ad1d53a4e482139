import type { ModelRequest } from "@wink/adapters";
import { ScriptedAdapter, type ScriptedTurn } from "@wink/adapters/scripted";

/**
 * Replaces a model, so that the example runs offline. Like a real model with this prompt, it uses
 * the facts in the digest, and searches files only for the rest.
 */
export function createOfflineModel(): ScriptedAdapter {
  return new ScriptedAdapter({
    turns: [
      {
        calls: [
          {
            tool: "planning_setup_plan",
            input: {
              objective: "Explain the project to new contributors",
              steps: ["Open the file tree", "Count the open TODOs", "Write the report"],
            },
          },
          { tool: "open_sections", input: { section_keys: ["workspace-digest/details"] } },
        ],
      },
      {
        calls: [
          { tool: "grep", input: { pattern: "\\bTODO\\b", output_mode: "count" } },
          done("s1"),
        ],
      },
      (request) => ({ calls: [done("s2"), writeReport(request)] }),
      { calls: [done("s3")] },
      (request) => ({ text: { ...read(request), report: "analysis.md" } }),
    ],
  });
}

type Call = NonNullable<ScriptedTurn["calls"]>[number];

function done(step_id: string): Call {
  return { tool: "planning_update_step", input: { step_id, status: "completed" } };
}

function writeReport(request: ModelRequest): Call {
  const { kind, testCommand } = read(request);
  const todos = request.messages.findLast(
    (message) => message.role === "tool" && message.toolName === "grep",
  );
  const content = `# What this is\n\n${kind}.\n\nRun its tests with \`${testCommand}\`.\n\n${todos?.text}\n`;
  return { tool: "write_file", input: { file_path: "analysis.md", content } };
}

/** Reads the facts of the digest from the instructions. */
function read({ instructions }: ModelRequest) {
  const [, kind = "unknown"] = /Workspace digest\n\n([^,;]+)/.exec(instructions) ?? [];
  const [, testCommand = "unknown"] = /- Testing: (.+)/.exec(instructions) ?? [];
  return { kind, testCommand };
}
