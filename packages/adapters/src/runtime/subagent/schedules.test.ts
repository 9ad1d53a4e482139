import { InMemoryFilesystem } from "@wink/filesystem";
import type { Tool, ToolContext } from "@wink/prompt";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { ModelError } from "../../error/model-error.js";
import { agent, done, failed, tool } from "../call/agent.test.support.js";
import { ModelAdapter } from "../loop/model-adapter.js";
import { defineSubagentTool } from "./define-subagent-tool.js";
import { treeOf } from "./merge-fork.test.support.js";
import { worker } from "./subagent.test.support.js";

const RUNS = Number(process.env["WINK_MERGES"] ?? (process.env["WINK_MORE_ROUNDS"] ? 150 : 40));

const call = fc.record({
  kind: fc.constantFrom("subagent", "subagent", "write", "read"),
  end: fc.constantFrom("ok", "ok", "ok", "fail", "abort"),
  /** How many turns of the event loop each part takes. */
  waits: fc.array(fc.nat({ max: 4 }), { minLength: 3, maxLength: 3 }),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

/** Each call has its own line, far from the others, and its own file. */
const LINES = Array.from({ length: 24 }, (_, line) => `${line}\n`);
const withLine = (text: string, index: number) => text.replace(`${index * 3}\n`, `call ${index}\n`);
const START = { "f.txt": LINES.join("") };

it("random schedules of subagents, writes and reads keep all changes of successful calls and none of the others (AD-34)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 7 }), async (calls) => {
      const files = new InMemoryFilesystem({ files: START });
      const seen: string[] = [];
      const controllers = calls.map(() => new AbortController());
      const tools = calls.map((each, index) => toolFor(each, index, seen));
      const { call: make, session } = agent({ files, tools });
      const outcomes = await Promise.all(
        calls.map(async ({ end, waits }, index) => {
          const signal = controllers[index]?.signal;
          const outcome = make(`call_${index}`, {}, { signal });
          if (end === "abort") void pass(waits[2]).then(() => controllers[index]?.abort());
          return await outcome;
        }),
      );

      const isDone = outcomes.map(({ status }) => status === "succeeded");
      let text = START["f.txt"];
      const expected: Record<string, string> = {};
      for (const [index, { kind, end }] of calls.entries()) {
        if (end === "ok") expect(isDone[index]).toBe(true);
        if (end === "fail") expect(isDone[index]).toBe(false);
        if (kind === "read" || !isDone[index]) continue;
        text = withLine(text, index);
        expected[`own-${index}.txt`] = "mine";
      }
      expect(await treeOf(files)).toEqual({ ...expected, "f.txt": text });

      // A subagent must have seen all earlier writes. A write must also have seen all earlier merges.
      for (const [index, { kind }] of calls.entries())
        for (let before = 0; before < index; before++) {
          const looks = seen[index];
          if (looks === undefined || kind === "read" || !isDone[before]) continue;
          const mustSee = calls[before]?.kind === "write" || kind === "write";
          if (mustSee && calls[before]?.kind !== "read")
            expect(looks).toContain(`call ${before}\n`);
        }
      // No lock and no child session is left open.
      expect(await make("call_none")).toMatchObject({ status: "unknown" });
      expect(session.children).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

function toolFor({ kind, end, waits }: Call, index: number, seen: string[]): Tool {
  const name = `call_${index}`;
  if (kind === "subagent") return subagent(name, end, waits, index, seen);
  const handler = async ({ filesystem }: ToolContext) => {
    await pass(waits[0]);
    const { content } = await filesystem.read("f.txt");
    seen[index] = content;
    if (kind === "write") {
      await filesystem.write("f.txt", withLine(content, index));
      await pass(waits[1]);
      await filesystem.write(`own-${index}.txt`, "mine");
    }
    return end === "fail" ? failed() : done();
  };
  return tool(name, handler, { access: kind === "write" ? "write" : "read" });
}

function subagent(
  name: string,
  end: Call["end"],
  waits: readonly number[],
  index: number,
  seen: string[],
): Tool {
  let turn = 0;
  const adapter = new ModelAdapter({
    name: "worker",
    ask: async () => {
      await pass(waits[turn]);
      if (turn++ > 0 && end === "fail") throw new ModelError("UNAUTHORIZED");
      const write = (path: string, content: string) => ({
        toolCallId: path,
        toolName: "write_file",
        arguments: JSON.stringify({ path, content }),
      });
      const work = [
        write("f.txt", withLine(seen[index] ?? "", index)),
        write(`own-${index}.txt`, "mine"),
      ];
      const usage = { inputTokens: 0, outputTokens: 0 };
      return { text: "Done.", toolCalls: turn === 1 ? work : [], usage, stopReason: "end" };
    },
  });
  const made = defineSubagentTool({
    name,
    description: "Hand over work.",
    input: z.object({}),
    adapter,
    prompt: async (_, filesystem) => {
      seen[index] = (await filesystem.read("f.txt")).content;
      return worker(filesystem);
    },
  });
  // The list contains tools of all types.
  return made as unknown as Tool;
}

async function pass(turns = 0): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
