import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { readRun } from "@wink/adapters/run";
import { describe, expect, it } from "vitest";
import { callWink, startWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

const AGENT = `import { setTimeout as sleep } from "node:timers/promises";
import { defineAgent } from "@wink/cli";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { z } from "zod";

const params = z.object({ word: z.string() });
const write = defineTool({
  ...{ name: "write", description: "Writes.", input: z.object({ path: z.string() }), access: "write", effects: "workspace" },
  async handler({ path }, { filesystem }) {
    await sleep(100);
    await filesystem.write(path, "text");
    return ok(undefined, "Written.");
  },
});

export const agent = defineAgent({
  params,
  prompt: ({ workspace, params: task }) =>
    new Prompt(
      new PromptTemplate({
        ...{ ns: "tests", key: "worker" },
        sections: [
          new MarkdownSection({ key: "task", title: "Task", params, template: "Write \${word}.", tools: [write] }),
          workspace,
        ],
      }),
    ).bind({ task }),
  // The answer depends only on the conversation, so that any worker continues it.
  script({ messages, instructions }) {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const [, word] = /Write (\\w+)/.exec(instructions);
    if (turn === 8) return { text: "Done." };
    return { calls: [{ tool: "write", toolCallId: "call-" + turn, input: { path: word + turn } }] };
  },
});
`;

async function setup() {
  const project = await makeProject({});
  await writeFile(join(project.directory, "agent.mjs"), AGENT);
  const [queue, store] = ["sqlite:queue.db", "sqlite:runs.db"];
  const at = { cwd: project.directory, env: project.env };
  const call = (...args: readonly string[]) => callWink([...args, "--queue", queue], at);
  const start = (name: string) => {
    const args = ["worker", "agent.mjs", "--queue", queue, "--store", store, "--name", name];
    const child = startWink([...args, "--lease", "1"], at);
    const lines: string[] = [];
    const input = createInterface({ input: child.stderr });
    input.on("line", (line) => lines.push(line));
    const said = async (text: string) => {
      while (!lines.some((line) => line.includes(text))) {
        if (child.exitCode !== null) throw new Error(lines.join("\n"));
        await once(input, "line");
      }
    };
    return { child, said, ended: once(child, "exit") };
  };
  return { call, start, at, store: `sqlite:${join(project.directory, "runs.db")}` };
}

describe("wink worker and wink queue", () => {
  it("process requests, and another worker continues the run of one that was killed (CL-60)", async () => {
    const { call, start, store } = await setup();
    expect((await call("queue", "add", "--id", "r1", "--param", "word=hello")).stdout).toBe(
      "Added request r1.\n",
    );
    expect((await call("queue", "list")).stdout).toContain("waiting  r1  attempt 0, normal");
    await call("queue", "add", "--id", "wrong", "--param", "wrod=hello");
    const first = start("first");
    await first.said("request r1 started");
    first.child.kill("SIGKILL");
    await first.ended;
    const second = start("second");
    await second.said("request r1 finished (attempt 2)");
    await second.said("request wrong buried (attempt 1): params: Parameter word is invalid");
    second.child.kill("SIGTERM");
    expect((await second.ended)[0]).toBe(0);
    await using run = await readRun(`${store}#r1`);
    expect(run.turns).toHaveLength(9);
    expect(run.calls.every(({ tool }) => tool === "write")).toBe(true);
    expect((await call("queue", "list")).stdout).toContain(
      "0 waiting, 0 delayed, 0 with a worker, 1 dead",
    );
  });

  it("retry and drop requests, and refuse another URL (CL-61)", async () => {
    const { call, at } = await setup();
    await call("queue", "add", "--id", "a", "--delay", "100");
    expect((await call("queue", "retry", "a")).stdout).toBe("Request a is due now.\n");
    expect((await call("queue", "retry", "a")).stderr).toContain(
      "Request a is neither a dead letter nor delayed.",
    );
    expect((await call("queue", "drop", "a")).stdout).toBe("Request a was dropped.\n");
    const wrong = await callWink(["queue", "list", "--queue", "mysql://user:secret@x"], at);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("queue: it is not the URL of a queue. Use sqlite:FILE");
    expect(wrong.stderr).not.toContain("secret");
  });
});
