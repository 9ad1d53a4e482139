import assert from "node:assert/strict";
import type { ModelRequest } from "@wink/adapters";
import { ScriptedAdapter } from "@wink/adapters/scripted";

const TEST = "python3 -m unittest";

/** Replaces a model: makes the same calls, and checks the answer of each call before the next. */
export function createOfflineModel(): ScriptedAdapter {
  return new ScriptedAdapter({
    turns: [
      { text: "I run the tests.", calls: [{ tool: "shell_execute", input: { command: TEST } }] },
      {
        expect: (request) => assert.match(lastAnswer(request), /FAILED \(failures=2\)/),
        calls: [{ tool: "read_file", input: { file_path: "cart.py" } }],
      },
      {
        expect: (request) => assert.match(lastAnswer(request), /\* discount \/ 100/),
        calls: [
          {
            tool: "edit_file",
            input: {
              file_path: "cart.py",
              old_string: "sum(prices) * discount / 100",
              new_string: "sum(prices) * (100 - discount) / 100",
            },
          },
        ],
      },
      { calls: [{ tool: "shell_execute", input: { command: TEST } }] },
      {
        expect: (request) => assert.match(lastAnswer(request), /Exit code 0.*OK/),
        text: { fixed: true, cause: "total() used the discount as the part to pay." },
      },
    ],
  });
}

function lastAnswer({ messages }: ModelRequest): string {
  return JSON.stringify(messages.at(-1));
}
