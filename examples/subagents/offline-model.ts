import type { ModelRequest } from "@wink/adapters";
import { ScriptedAdapter, type ScriptedTurn } from "@wink/adapters/scripted";

/** The task of each subagent, and the replacement it makes. */
const TASKS = [
  { task: "Make the greeting more polite.", from: '"hello"', to: '"good morning"' },
  { task: "Make the farewell more polite.", from: '"bye"', to: '"goodbye"' },
  { task: "Make the greeting warmer.", from: '"hello"', to: '"dear friend"' },
];

/** Replaces the models of the editor and of its helpers, so that the example runs offline. */
export function createOfflineModel(): ScriptedAdapter {
  return new ScriptedAdapter({
    turns: (request) => {
      const mine = TASKS.find(({ task }) => request.instructions.includes(task));
      return mine === undefined ? editor(request) : helper(request, mine);
    },
  });
}

function editor({ messages }: ModelRequest): ScriptedTurn {
  if (messages.length === 0)
    return { calls: TASKS.map(({ task }) => ({ tool: "delegate", input: { task } })) };
  const refused = messages.filter((message) => message.role === "tool" && !message.success).length;
  return {
    text: `The texts are polite. ${refused} change was left out, since it contradicted another.`,
  };
}

function helper({ messages }: ModelRequest, { from, to }: (typeof TASKS)[number]): ScriptedTurn {
  const steps: ScriptedTurn[] = [
    { calls: [{ tool: "read_file", input: { file_path: "texts.ts" } }] },
    {
      calls: [
        { tool: "edit_file", input: { file_path: "texts.ts", old_string: from, new_string: to } },
      ],
    },
  ];
  return steps[messages.length / 2] ?? { text: `It says ${to} now.` };
}
