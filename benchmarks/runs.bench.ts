import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Run as DurableRun } from "@wink/adapters/run";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { InMemoryFilesystem } from "@wink/filesystem";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { defineEvent, defineState } from "@wink/session";
import { indexLog, SessionLog } from "@wink/session/jsonl";
import { PlanningToolsSection, VfsToolsSection } from "@wink/tools";
import { z } from "zod";
import type { Run } from "./harness.js";

export async function run(run: Run): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), "wink-runs-bench-"));
  try {
    await compareSize(run, base);
    await compareRecording(run, base);
    await compareStates(run, base);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

let count = 0;
const TEXT = Array.from({ length: 100 }, (_, line) => `${line} ${"x".repeat(36)}`).join("\n");

/** A run of an agent that reads 4 kB and edits a file in each turn. Returns its directory. */
async function record(base: string, turns: number): Promise<string> {
  const directory = join(base, `run-${++count}`);
  const filesystem = new InMemoryFilesystem({ files: { "a.txt": TEXT, "b.txt": "0" } });
  await using recorded = await DurableRun.open(directory, {
    filesystem,
    states: false,
  });
  const { session } = recorded;
  const sections = [
    new MarkdownSection({ key: "task", title: "Task", template: "Do the work." }),
    new PlanningToolsSection({ session }),
    await VfsToolsSection.create({ session, filesystem }),
  ];
  const prompt = new Prompt(new PromptTemplate({ ns: "bench", key: "run", sections })).bind({});
  const step = (turn: number) => ({
    calls: [
      { tool: "read_file", input: { file_path: "a.txt", offset: turn % 10 } },
      { tool: "write_file", input: { file_path: "b.txt", content: `${turn}`, mode: "overwrite" } },
    ],
  });
  const script = [...Array.from({ length: turns - 1 }, (_, turn) => step(turn)), { text: "Done." }];
  await new ScriptedAdapter({ turns: script, maxTurns: turns }).evaluate(prompt, { session });
  return directory;
}

/** The sizes are in bytes. */
async function compareSize(run: Run, base: string): Promise<void> {
  const directory = await record(base, 200);
  const text = await readFile(join(directory, "transcript.jsonl"), "utf8");
  const parts = text
    .split("\n")
    .flatMap((line) => /^\{"kind":"part".*?"value":(.*)\}$/.exec(line)?.[1] ?? []);
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  await run.compare({
    name: "bytes of the transcript of 200 turns",
    rounds: 1,
    ours: () => ({ micros: Buffer.byteLength(text) }),
    peers: { "its distinct parts": () => ({ micros: bytes }) },
    targets: [{ peer: "its distinct parts", atMost: 1.2 }],
  });
}

/** The same `wink run`, as a process, with and without the transcript. The log and the states are on in both. */
async function compareRecording(run: Run, base: string): Promise<void> {
  const turns = run.quick ? 40 : 100;
  const wink = fileURLToPath(new URL("../../apps/cli/bin/wink.js", import.meta.url));
  const project = join(base, "project");
  await mkdir(project);
  await writeFile(join(project, "a.txt"), TEXT);
  const agent = fileURLToPath(new URL("../recorded-agent.mjs", import.meta.url));
  const subject =
    (...options: readonly string[]) =>
    () => {
      const log = join(base, `wink-${++count}`);
      const args = ["run", agent, "--workspace", project, "--log", log];
      const state = { WINK_STATE_DIR: join(base, "state"), WINK_BENCH_TURNS: String(turns) };
      const more = ["--max-turns", String(turns), ...options];
      execFileSync(process.execPath, [wink, ...args, ...more], {
        env: { ...process.env, ...state },
        stdio: ["ignore", "ignore", "pipe"],
      });
      return turns;
    };
  await run.compare({
    name: `wink run with ${turns} turns of two calls, with the transcript`,
    ours: subject(),
    peers: { "--no-transcript": subject("--no-transcript") },
    targets: [{ peer: "--no-transcript", atMost: 1.05 }],
    rounds: run.quick ? 3 : 9,
  });
}

const Add = defineEvent("bench.add", z.object({ value: z.number() }));
const Sum = defineState({
  name: "bench.sum",
  schema: z.object({ sum: z.number() }),
  initial: { sum: 0 },
  reducers: (on) => [on(Add, ({ sum }, { value }) => ({ sum: sum + value }))],
});

async function compareStates(run: Run, base: string): Promise<void> {
  const path = join(base, "long.jsonl");
  const log = await SessionLog.open(path, { slices: [Sum] });
  for (let value = 0; value < 100_000; value++) log.session.dispatch(Add({ value }));
  await log.close();
  const { index } = await indexLog(path, { slices: [Sum] });
  let at = 0;
  await run.compare({
    name: "the session after any event of 100,000, after one pass",
    ours() {
      for (let times = 0; times < 50; times++) {
        at += 7_919;
        index.sessionAt(at % 100_000);
      }
      return 50;
    },
    peers: { "50 ms": () => ({ micros: 50_000 }) },
    targets: [{ peer: "50 ms", atMost: 1 }],
  });
}
