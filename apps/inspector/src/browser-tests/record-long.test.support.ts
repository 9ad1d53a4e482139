import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ModelAdapter, type ModelClient } from "@wink/adapters";
import { Run } from "@wink/adapters/run";
import { defineTool, fail, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { defineEvent, defineSlice } from "@wink/session";
import { z } from "zod";

const Progress = defineEvent("work.progress", z.object({ step: z.number(), what: z.string() }));
const LastSteps = defineSlice({
  name: "work.steps",
  schema: Progress.schema,
  reducers: (on) => [on(Progress, (_, progress) => [progress])],
});

/** Records a run with that many events: turns of ten calls, which report their progress. Returns its directory. */
export async function recordLong(base: string, events: number): Promise<string> {
  const workspace = join(base, "workspace");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "data.txt"), "start\n");
  const directory = join(base, "run");
  await using run = await Run.open(directory, {
    ...{ workspace, agent: "long", model: "scripted-1", session: { slices: [LastSteps] } },
  });
  const callsPerTurn = 10;
  const turns = 100;
  const perCall = Math.ceil(events / (turns * callsPerTurn)) - 2;
  let count = 0;
  const work = defineTool({
    name: "work",
    description: "Does a part of the work.",
    input: z.object({ part: z.number() }),
    access: "write",
    async handler({ part }, { session, filesystem }) {
      for (let step = 0; step < perCall; step++)
        session.dispatch(Progress({ step, what: `part ${part}, item ${count++}` }));
      if (part % 50 === 0)
        await filesystem.write("data.txt", `after part ${part}\n`, { mode: "overwrite" });
      return part % 200 === 199 ? fail("This part cannot be done.") : ok(undefined, "Done.");
    },
  });
  const files = new (class extends MarkdownSection<"files"> {
    readonly filesystem = run.filesystem;
  })({ key: "files", title: "Files", template: "Do all parts.", tools: [work] });
  let turn = 0;
  const client: ModelClient = {
    name: "scripted",
    async ask(_, { onText }) {
      const usage = { inputTokens: 1000 + turn * 10, outputTokens: 40 };
      const at = turn++;
      if (at >= turns) return { text: "All done.", toolCalls: [], usage, stopReason: "end" };
      const text = `Ten more parts, from ${at * callsPerTurn}.`;
      onText(text);
      const toolCalls = Array.from({ length: callsPerTurn }, (_, index) => ({
        ...{ toolCallId: `call-${at}-${index}`, toolName: "work" },
        arguments: JSON.stringify({ part: at * callsPerTurn + index }),
      }));
      return { text, toolCalls, usage, stopReason: "end" };
    },
  };
  const template = new PromptTemplate({ ns: "tests", key: "long", sections: [files] });
  const adapter = new ModelAdapter(client, { onError: () => {} });
  const prompt = new Prompt(template).bind({});
  await adapter.evaluate(prompt, { session: run.session, maxTurns: turns + 1 });
  return directory;
}
