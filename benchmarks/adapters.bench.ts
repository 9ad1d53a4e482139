import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runToolCall } from "@wink/adapters";
import { Run as DurableRun } from "@wink/adapters/run";
import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { z } from "zod";
import { type Run, timeOnce } from "./harness.js";
import { shuffled, sourceTree } from "./tree.js";

const READ_TARGET_MICROS = 50;
const WARM_UP_CALLS = 20_000;
const PIECES = 20;

/** The cost of a transaction around a handler that reads or writes one file. */
export async function run(run: Run): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "wink-bench-adapters-"));
  try {
    const files = sourceTree(10_000);
    const workspace = join(base, "workspace");
    for (const [path, text] of files) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
    const paths = shuffled(files.keys()).slice(0, 1_000);
    const memory = new InMemoryFilesystem();
    for (const path of paths) await memory.write(path, files.get(path) ?? "");
    const host = await HostFilesystem.open(workspace, { fsync: false });
    await compareReads(run, "in memory", memory, paths);
    await compareReads(run, "on the host", host, paths);
    await compareWrites(run, host, { base, workspace, paths });
    await host.close();
    await compareOnDisk(run, { base, workspace, paths });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const input = z.object({ path: z.string() });

const readOne = defineTool({
  name: "read_one",
  description: "Reads a file.",
  input,
  access: "read",
  async handler({ path }, { filesystem }) {
    const { content } = await filesystem.read(path, { limit: 10 });
    return ok(content, "Read.");
  },
});

const writeOne = defineTool({
  name: "write_one",
  description: "Writes a file.",
  input,
  access: "write",
  async handler({ path }, { filesystem }) {
    await filesystem.write(path, `written ${path}\n`, { mode: "overwrite" });
    return ok(path, "Written.");
  },
});

class Files extends MarkdownSection<"files"> {
  readonly filesystem: Filesystem;

  constructor(filesystem: Filesystem) {
    super({ key: "files", title: "Files", template: "Files.", tools: [readOne, writeOne] });
    this.filesystem = filesystem;
  }
}

/** Calls a tool as the loop does: the prompt is rendered once for a turn. */
function caller(filesystem: Filesystem, session = new Session({ maxEvents: 1_000 })) {
  const template = new PromptTemplate({
    ns: "bench",
    key: "calls",
    sections: [new Files(filesystem)],
  });
  const rendered = new Prompt(template).bind({}).render({ session });
  const signal = new AbortController().signal;
  let calls = 0;
  return async (toolName: string, path: string): Promise<void> => {
    const call = { toolCallId: `call-${++calls}`, toolName, arguments: { path } };
    const { status } = await runToolCall({ rendered, adapter: noAdapter, session, signal, call });
    if (status !== "succeeded") throw new Error(`${toolName} ${status}`);
  };
}

/** The same handler without and with its transaction; the difference must stay below the target. */
async function compareReads(
  run: Run,
  where: string,
  filesystem: Filesystem,
  paths: readonly string[],
): Promise<void> {
  const call = caller(filesystem);
  const inTransaction = (path: string) => call("read_one", path);
  const bare = async (path: string) => {
    const { content } = await filesystem.read(path, { limit: 10 });
    ok(content, "Read.");
  };
  for (const body of [inTransaction, bare]) await repeat(paths, WARM_UP_CALLS, body);
  const times = run.quick ? 5_000 : 20_000;
  await run.compare({
    name: `transaction of a tool that reads one file, ${where}, without its handler`,
    rounds: 7,
    ours: async () => ({ micros: await medianDifference(paths, times, inTransaction, bare) }),
    peers: {
      "the handler alone": () => repeat(paths, times, bare),
      "50 µs": () => ({ micros: READ_TARGET_MICROS }),
    },
    targets: [{ peer: "50 µs", atMost: 1 }],
  });
}

/** Alternates between both in small pieces, so that a busy moment of the machine affects both equally. */
async function medianDifference(
  paths: readonly string[],
  times: number,
  whole: (path: string) => Promise<void>,
  part: (path: string) => Promise<void>,
): Promise<number> {
  const differences: number[] = [];
  for (let piece = 0; piece < PIECES; piece++) {
    const wholeMicros = await timeOnce(() => repeat(paths, times / PIECES, whole));
    const partMicros = await timeOnce(() => repeat(paths, times / PIECES, part));
    differences.push(wholeMicros - partMicros);
  }
  differences.sort((a, b) => a - b);
  return differences[PIECES / 2] ?? Number.NaN;
}

interface Place {
  readonly base: string;
  readonly workspace: string;
  readonly paths: readonly string[];
}

/** A tool that writes one file, against the snapshot that git would take around it. */
async function compareWrites(
  run: Run,
  filesystem: Filesystem,
  { base, workspace, paths }: Place,
): Promise<void> {
  const git = (...args: string[]) =>
    execFileSync("git", [`--git-dir=${base}/git`, `--work-tree=${workspace}`, ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    });
  execFileSync("git", ["init", "-q", "--bare", `${base}/git`]);
  git("config", "core.bare", "false");
  git("config", "gc.auto", "0");
  git("add", "-A");
  git("write-tree");
  const call = caller(filesystem);
  const write = (path: string) => call("write_one", path);
  await repeat(paths, 2_000, write);
  git("add", "-A");
  const peer = "git add -A && git write-tree";
  await run.compare({
    name: "call of a tool that writes one file, on the host, 10k files",
    rounds: 5,
    ours: () => repeat(paths, 200, write),
    peers: {
      [peer]() {
        git("add", "-A");
        git("write-tree");
      },
    },
    targets: [{ peer, atLeast: 20 }],
  });
}

/** The same with a session in a log and a journal, compared with the plain one. */
async function compareOnDisk(run: Run, { base, workspace, paths }: Place): Promise<void> {
  const kept = await DurableRun.open(join(base, "run"), { workspace, states: false });
  const plain = await HostFilesystem.open(workspace, { fsync: false });
  const calls = { kept: caller(kept.filesystem, kept.session), plain: caller(plain) };
  await repeat(paths, 2_000, (path) => calls.kept("write_one", path));
  await run.compare({
    name: "call of a tool that writes one file, in a run on disk",
    ours: () => repeat(paths, 500, (path) => calls.kept("write_one", path)),
    peers: {
      "with a session in memory": () =>
        repeat(paths, 500, (path) => calls.plain("write_one", path)),
    },
    targets: [],
  });
  await plain.close();
  await kept.close();
}

async function repeat(
  paths: readonly string[],
  times: number,
  body: (path: string) => Promise<void>,
): Promise<number> {
  for (let index = 0; index < times; index++) await body(paths[index % paths.length] ?? "");
  return times;
}
