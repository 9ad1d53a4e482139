import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { diagnosePodman, PodmanSandboxSection } from "@wink/tools/podman";
import type { Run } from "./harness.js";

const execute = promisify(execFile);
const IMAGE = "localhost/wink-sandbox:1";

export async function run(run: Run): Promise<void> {
  if (!(await diagnosePodman({ image: IMAGE })).usable) return skip();
  await compareWarmCommands(run);
}

function skip(): void {
  console.log("skipped: Podman with the image of scripts/images/build.sh is not available");
}

/** `true` in a running container: the tool, with its scans of the workspace, against the bare engine in the same container. */
async function compareWarmCommands(run: Run): Promise<void> {
  const session = new Session();
  let startedMs = 0;
  await using section = await PodmanSandboxSection.create({
    session,
    config: {
      image: IMAGE,
      onProgress: (progress) => {
        if (progress.stage === "ready") startedMs = progress.elapsedMs;
      },
    },
  });
  const { filesystem } = section;
  for (let file = 0; file < 100; file++) await filesystem.write(`src/f${file}.ts`, `${file}\n`);
  const shell = section.tools.find(({ name }) => name === "shell_execute");
  const context = createToolContext({ session, filesystem });
  const callTool = async () => {
    const answer = await shell?.handler({ command: "true", cwd: ".", env: {} }, context);
    if (!answer?.success) throw new Error(answer?.message ?? "Unknown tool.");
  };
  await callTool();
  console.log(`\nthe first command waited ${Math.round(startedMs)} ms for its container`);
  const [, name] = /\/(wink-[0-9a-f]{12})\/files$/.exec(filesystem.root) ?? [];
  await run.compare({
    name: "a warm `true`, with 100 files in the workspace",
    rounds: run.quick ? 7 : 25,
    ours: callTool,
    peers: {
      "bare podman exec": async () => void (await execute("podman", ["exec", `${name}-1`, "true"])),
    },
    targets: [{ peer: "bare podman exec", atMost: 1.2 }],
  });
}
