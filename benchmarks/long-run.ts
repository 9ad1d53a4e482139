import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ModelAdapter, type ModelClient } from "@wink/adapters";
import { Run } from "@wink/adapters/run";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { defineEvent, defineSlice } from "@wink/session";
import { z } from "zod";

const Progress = defineEvent("work.progress", z.object({ what: z.string() }));
const LastProgress = defineSlice({
  name: "work.progress",
  schema: Progress.schema,
  reducers: (on) => [on(Progress, (_, progress) => [progress])],
});

const TURNS = 100;
const CALLS_PER_TURN = 10;

/** Records a run with that many events. Returns its directory. */
export async function recordLongRun(base: string, events: number): Promise<string> {
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  const directory = join(base, "run");
  await using run = await Run.open(directory, { workspace, session: { slices: [LastProgress] } });
  const perCall = Math.ceil(events / (TURNS * CALLS_PER_TURN)) - 2;
  const work = defineTool({
    name: "work",
    description: "Does a part of the work.",
    input: z.object({ part: z.number() }),
    access: "write",
    async handler({ part }, { session, filesystem }) {
      for (let step = 0; step < perCall; step++)
        session.dispatch(Progress({ what: `part ${part}, step ${step}` }));
      await filesystem.write("part.txt", `${part}\n`, { mode: "overwrite" });
      return ok(undefined, "Done.");
    },
  });
  const files = new (class extends MarkdownSection<"files"> {
    readonly filesystem = run.filesystem;
  })({ key: "files", title: "Files", template: "Do all parts.", tools: [work] });
  let turn = 0;
  const client: ModelClient = {
    name: "scripted",
    async ask() {
      const first = turn++ * CALLS_PER_TURN;
      const parts =
        turn > TURNS ? [] : Array.from({ length: CALLS_PER_TURN }, (_, at) => first + at);
      const toolCalls = parts.map((part) => ({
        ...{ toolCallId: `call-${part}`, toolName: "work", arguments: JSON.stringify({ part }) },
      }));
      const usage = { inputTokens: 1000, outputTokens: 50 };
      return { text: `From part ${first}.`, toolCalls, usage, stopReason: "end" };
    },
  };
  const template = new PromptTemplate({ ns: "benchmarks", key: "long", sections: [files] });
  await new ModelAdapter(client).evaluate(new Prompt(template).bind({}), {
    ...{ session: run.session, maxTurns: TURNS + 1 },
  });
  return directory;
}
