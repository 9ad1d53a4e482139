import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { z } from "zod";
import { defineAgent } from "../agent/agent.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelRequest } from "../runtime/loop/model-client.js";
import { Run } from "./run.js";

/** Orders items from a service until each was ordered: `<directory> <address> <count>`. */
const [directory = "", address = "", count = "0"] = process.argv.slice(2);

const order = defineTool({
  name: "order",
  description: "Order an item.",
  input: z.object({ item: z.string(), amount: z.number() }),
  access: "read",
  async handler({ item }, { idempotencyKey }) {
    const headers = { "idempotency-key": idempotencyKey, "x-pid": String(process.pid) };
    const answer = await fetch(address, { method: "POST", body: item, headers });
    return ok(undefined, `${item}: ${await answer.text()}`);
  },
});

/** Orders each item again if it does not know whether the first order arrived, with its fields in another order. */
function next({ messages }: ModelRequest) {
  const orders = messages.filter((each) => each.role === "tool" && each.success).length;
  const turn = messages.filter(({ role }) => role === "assistant").length;
  if (orders >= Number(count)) return { text: "Done.", toolCalls: [] };
  const call = { toolCallId: `call-${turn}`, toolName: "order" };
  const item = `item ${orders}`;
  const input = turn % 2 === 0 ? { item, amount: 1 } : { amount: 1, item };
  return { text: "", toolCalls: [{ ...call, arguments: JSON.stringify(input) }] };
}

mkdirSync(join(directory, "workspace"), { recursive: true });
const run = await Run.open(join(directory, "run"), {
  workspace: join(directory, "workspace"),
  agent: defineAgent({
    prompt: () =>
      new Prompt(
        new PromptTemplate({
          ns: "tests",
          key: "orders",
          sections: [
            new MarkdownSection({ key: "task", title: "Task", template: "Order.", tools: [order] }),
          ],
        }),
      ).bind({}),
  }),
});
const adapter = new ModelAdapter(
  {
    name: "test",
    ask: async (request) => ({
      ...next(request),
      usage: { inputTokens: 1, outputTokens: 1 },
      stopReason: "end",
    }),
  },
  { maxTurns: 1_000 },
);
await run.continue(adapter);
await run.close();
process.stdout.write("done\n");
