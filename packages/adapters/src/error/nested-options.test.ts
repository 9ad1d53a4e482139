import { Prompt, PromptTemplate } from "@wink/prompt";
import { expect, it } from "vitest";
import { z } from "zod";
import { AgentLoopGroup } from "../group/agent-loop-group.js";
import { AiSdkAdapter } from "../providers/ai-sdk/ai-sdk-adapter.js";
import { requestProcessor } from "../queues/request-processor.js";
import { defineSubagentTool } from "../runtime/subagent/define-subagent-tool.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { AgentLoop } from "../worker/agent-loop.js";
import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";

const loop = { queue: new InMemoryRequestQueue(), handler: async () => {} };
const group = (options: object) => new AgentLoopGroup({ loops: { a: loop }, ...options });
const script = (turn: object) => new ScriptedAdapter({ turns: [turn] });
const JSON_ONLY = "it must be JSON. Remove functions, symbols, big integers and cycles.";
const subagent = (budget: unknown) =>
  defineSubagentTool({
    ...{ name: "sub", description: "Works.", input: z.object({}), budget: budget as never },
    prompt: () => new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [] })).bind({}),
  });

it.each<[make: () => unknown, message: string]>([
  [
    () => new AgentLoop({ ...loop, backOff: { baseDelay: 3 } as never }),
    "backOff: unknown option 'baseDelay'. Did you mean 'baseDelayMs'?",
  ],
  [
    () => requestProcessor(loop.handler, { backOff: { maxDelay: 3 } as never }),
    "backOff: unknown option 'maxDelay'. Did you mean 'maxDelayMs'?",
  ],
  [() => group({ health: { prt: 80 } }), "health: unknown option 'prt'. Did you mean 'port'?"],
  [
    () => group({ watchdog: { stuck: 80 } }),
    "watchdog: unknown option 'stuck'. Did you mean 'stuckMs'?",
  ],
  [
    () => new AiSdkAdapter({ model: "gpt-5.4" as never }),
    "ai-sdk: option 'model': expected a model, such as openai('gpt-5.4') from @ai-sdk/openai, got a string.",
  ],
  [
    () => new AiSdkAdapter({ model: {} as never }),
    "ai-sdk: option 'model': expected a model, such as openai('gpt-5.4') from @ai-sdk/openai, got an object.",
  ],
  [() => script({ text: { run() {} } }), `ScriptedAdapter: turns[0]: option 'text': ${JSON_ONLY}`],
  [
    () => script({ calls: [{ tool: "t", input: { count: 1n } }] }),
    `ScriptedAdapter: turns[0].calls[0]: option 'input': ${JSON_ONLY}`,
  ],
  [
    () => subagent({ tokns: 3 }),
    "budget: unknown limit 'tokns'. Use wallMs, tokens, costUsd, toolCalls or bytesWritten.",
  ],
  [() => subagent(2), "budget: a fraction must be a number from 0 to 1, got 2."],
])("a wrong nested option is refused when the object is created: %#. (AD-71)", (make, message) => {
  expect(make).toThrow(expect.objectContaining({ message }));
});
