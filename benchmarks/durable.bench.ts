import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Run as DurableRun } from "@wink/adapters/run";
import { ScriptedAdapter } from "@wink/adapters/scripted";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import type { Run } from "./harness.js";

export async function run(run: Run): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), "wink-durable-bench-"));
  try {
    await compareCost(run, base);
    for (const turns of [10, 100, 1_000])
      for (const files of turns === 100 ? [10, 1_000] : [10])
        await compareResume(run, base, turns, files);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

let count = 0;

function filesystemWith(files: number): InMemoryFilesystem {
  const entries = Array.from({ length: files }, (_, n) => [
    `src/file-${n}.txt`,
    `${n}\n`.repeat(99),
  ]);
  return new InMemoryFilesystem({ files: Object.fromEntries([["note.txt", "0"], ...entries]) });
}

async function promptFor(session: Session, filesystem: SnapshotableFilesystem) {
  const sections = [
    new MarkdownSection({ key: "task", title: "Task", template: "Do the work." }),
    await VfsToolsSection.create({ session, filesystem, trackChanges: false }),
  ];
  return new Prompt(new PromptTemplate({ ns: "bench", key: "durable", sections })).bind({});
}

/** Each turn writes a file. @param stop aborts when the last turn is requested */
function model(turns: number, stop?: AbortController): ScriptedAdapter {
  return new ScriptedAdapter({
    maxTurns: turns + 1,
    turns: ({ messages }) => {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      if (turn === turns - 1) stop?.abort();
      if (turn >= turns - 1) return { text: "Done." };
      const input = { file_path: "note.txt", content: `${turn}`, mode: "overwrite" };
      return { calls: [{ tool: "write_file", input, toolCallId: `call-${turn}` }] };
    },
  });
}

/** What one turn with one changing call costs in a durable run, compared with the same run in memory. */
async function compareCost(run: Run, base: string): Promise<void> {
  const turns = run.quick ? 20 : 100;
  const plain = async () => {
    const [session, filesystem] = [new Session(), filesystemWith(10)];
    await model(turns).evaluate(await promptFor(session, filesystem), { session });
    return turns;
  };
  const durable = (fsync: boolean) => async () => {
    const filesystem = filesystemWith(10);
    const directory = join(base, `cost-${++count}`);
    await using opened = await DurableRun.open(directory, { filesystem, fsync });
    const { session } = opened;
    await model(turns).evaluate(await promptFor(session, filesystem), { run: opened, session });
    return turns;
  };
  await run.compare({
    name: "one turn with one call that writes a file, durable",
    ours: durable(false),
    peers: { "in memory": plain, "with fsync": durable(true) },
    targets: [{ peer: "in memory", atMost: 10 }],
  });
}

/** Opens a run of an ended process, and finds out what its next request is. */
async function compareResume(run: Run, base: string, turns: number, files: number): Promise<void> {
  const directory = join(base, `resume-${++count}`);
  const stop = new AbortController();
  const first = filesystemWith(files);
  const opened = await DurableRun.open(directory, { filesystem: first });
  const prompt = await promptFor(opened.session, first);
  const options = { run: opened, session: opened.session, signal: stop.signal };
  await model(turns, stop)
    .evaluate(prompt, options)
    .catch(() => {});
  await opened.close();
  const resume = (restoreFiles: boolean) => async () => {
    const filesystem = restoreFiles ? new InMemoryFilesystem() : first;
    await using again = await DurableRun.open(directory, { filesystem, restoreFiles });
    const { session } = again;
    const asked = new ScriptedAdapter({
      turns: () => {
        throw new Error("asked");
      },
    });
    const next = asked.evaluate(await promptFor(session, filesystem), { run: again, session });
    await next.catch(() => {});
  };
  await run.compare({
    name: `resume after ${turns} turns, ${files} files`,
    ours: resume(false),
    peers: { "and restore the files": resume(true) },
    targets: [],
    rounds: 3,
  });
}
