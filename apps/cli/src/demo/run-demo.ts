import { mkdir, mkdtemp, readdir, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { Run } from "@wink/adapters/run";
import { type Filesystem, isSnapshotable, type SnapshotableFilesystem } from "@wink/filesystem";
import { removeHostTree } from "@wink/filesystem/host";
import type { AgentEvent, ProviderAdapter } from "@wink/prompt";
import { CreateSnapshot, latestWorkspaceDigest, VfsToolsSection } from "@wink/tools";
import { openModel } from "../model/open-model.js";
import { commandName } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import type { Colors } from "../terminal/print.js";
import { LiveView } from "../view/live-view.js";
import { stateDirectory } from "../workspace/state-directory.js";
import { applyToCopy } from "./apply-to-copy.js";
import { findContainerRunner } from "./container-runner.js";
import { createDemoAgent } from "./demo-agent.js";
import { DEMO_PROJECT } from "./demo-project.js";
import type { DemoReport } from "./demo-report.js";
import { DemoScenes } from "./demo-scenes.js";
import { DEMO_SCRIPT } from "./demo-script.js";
import { pacedOutput } from "./paced-output.js";
import type { TestReport } from "./test-report.js";
import { nodeRunner, type TestRunner } from "./test-runner.js";
import { treeHash } from "./tree-hash.js";

export interface RunDemoOptions {
  /** The value of `--model`. */
  readonly model: string;
  /** Whether to run the tests in a container if one is available. */
  readonly container: boolean;
  /** The stream that the demo writes to. */
  readonly output: Io["stdout"];
  readonly colors: Colors;
  /** Pause after each line. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/** Runs the demo in a temporary directory, deletes the directory, and reports the results. */
export async function runDemo(io: Io, options: RunDemoOptions): Promise<DemoReport> {
  const { adapter } = await openModel(options.model, { io, agent: { script: DEMO_SCRIPT } });
  const runner = (options.container ? await findContainerRunner() : undefined) ?? nodeRunner;
  const agent = createDemoAgent(runner);
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "wink-demo-")));
  try {
    return await play(io, { scratch, runner, agent, adapter }, options);
  } finally {
    await removeHostTree(scratch);
  }
}

/** Where the runs of demos are. */
function demoRuns(env: Io["env"]): string {
  return join(stateDirectory(env), "demo");
}

interface Stage {
  readonly scratch: string;
  readonly runner: TestRunner;
  readonly agent: ReturnType<typeof createDemoAgent>;
  readonly adapter: ProviderAdapter;
}

async function play(
  io: Io,
  { scratch, runner, agent, adapter }: Stage,
  options: RunDemoOptions,
): Promise<DemoReport> {
  const { model, colors, signal } = options;
  const output = pacedOutput(options.output, options.pauseMs);
  const wink = commandName(io);
  const scenes = new DemoScenes({ output, colors, columns: io.columns, wink });
  const project = await makeProject(join(scratch, "parcels"));
  const before = await treeHash(project);

  scenes.opening(model);
  const sections: VfsToolsSection<"workspace">[] = [];
  await using run = await Run.open(await newRunDirectory(io), {
    ...{ agent: "demo", model },
    async filesystem(session) {
      const section = await VfsToolsSection.create({
        ...{ session, key: "workspace", mounts: [{ hostPath: "." }] },
        ...{ allowedHostRoots: [project], signal },
      });
      sections.push(section);
      return requireSnapshots(section.filesystem);
    },
  });
  const { session } = run;
  const workspace = required(sections[0]);
  const mounted = mountOf(workspace);
  scenes.project(mounted, before);

  await using prompt = await agent.prompt({ session, workspace, params: {} });
  scenes.work(runner.where, latestWorkspaceDigest(session));
  const view = new LiveView({ output, colors, columns: io.columns, session, indent: "  " });
  const calls: DemoReport["calls"][number][] = [];
  const onEvent = (event: AgentEvent) => {
    view.onEvent(event);
    if (event.type !== "tool-call-finished") return;
    const { toolName: tool, result, rolledBack } = event;
    calls.push({ tool, success: result.success, rolledBack });
    if (tool === "run_tests" && result.success) scenes.tests(result.value as TestReport);
  };
  const response = await adapter.evaluate(prompt, { session, signal, onEvent });

  const patch = await workspace.changes().toPatch();
  const after = await treeHash(project);
  const copy = await applyToCopy({
    project,
    copy: join(scratch, "copy"),
    patch,
    changes: await workspace.changes().files(),
    filesystem: workspace.filesystem,
  });
  const report: DemoReport = {
    model,
    testsRanIn: runner.where,
    mounted: { fileCount: mounted.fileCount, totalBytes: mounted.totalBytes },
    calls,
    output: response.output,
    snapshots: session.events.of(CreateSnapshot).map(({ payload }) => payload.name),
    patch,
    host: { before, after, untouched: before === after },
    copy,
  };
  scenes.closing(report);
  output.end();
  await finished(output);
  return report;
}

/** How many runs of earlier demos stay. One of them may still be active. */
const KEPT_RUNS = 2;

/** A directory for the run of this demo, for `wink inspect demo`. */
async function newRunDirectory({ env }: Io): Promise<string> {
  const home = demoRuns(env);
  const earlier = (await readdir(home).catch((): string[] => [])).sort().reverse();
  for (const name of earlier.slice(KEPT_RUNS)) await removeHostTree(join(home, name));
  return join(home, `${Date.now()}-${process.pid}`);
}

async function makeProject(directory: string): Promise<string> {
  for (const [path, content] of Object.entries(DEMO_PROJECT)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return directory;
}

function requireSnapshots(filesystem: Filesystem): SnapshotableFilesystem {
  if (isSnapshotable(filesystem)) return filesystem;
  throw new TypeError("Files in memory have snapshots.");
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("The run opens its files first.");
  return value;
}

function mountOf({ mountReport }: VfsToolsSection<string>) {
  if (mountReport === undefined) throw new TypeError("A section with mounts has a report of them.");
  return mountReport;
}
