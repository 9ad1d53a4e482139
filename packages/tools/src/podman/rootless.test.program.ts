import { existsSync } from "node:fs";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { diagnosePodman } from "./diagnose.js";
import { PodmanSandboxSection } from "./podman-sandbox-section.js";

/** Prints every process whose memory can be opened, except the shell that runs this. */
const OPEN_MEMORY =
  "for p in /proc/[0-9]*; do [ $p = /proc/$$ ] || { ( : <>$p/mem ) 2>/dev/null && echo $p; }; done; true";

/** Prints the processes of commands, except this shell and its wrapper, and `late.txt` if it exists. */
const LEFT =
  "for s in /proc/[0-9]*/status; do while read -r n v r; do case $n in Pid:) p=$v;; Uid:) [ $v = 0 ] || [ $p = $$ ] || [ $p = $PPID ] || echo $p;; esac; done <$s; done; [ ! -e late.txt ] || echo late.txt";

/** Uses a sandbox as a user that is not root, and prints the results. */
const image = "localhost/wink-sandbox-small:1";
const [overlayRoot = ""] = process.argv.slice(2);
const diagnosis = await diagnosePodman({ image });
const session = new Session();
const section = await PodmanSandboxSection.create({
  session,
  config: { image, overlayRoot, pidsLimit: 64, timeoutMs: 120_000 },
});
const { filesystem } = section;
const run = runIn(section);

await filesystem.write("tool.txt", "by a tool\n");
const seen = await run("cat tool.txt; id -u; echo by the shell >shell.txt; echo 2 >>tool.txt");
const snapshot = await filesystem.snapshot();
const closed = await run(
  "mkdir -p shut/inner; echo secret >shut/inner/file; chmod 000 shut/inner/file shut/inner shut; chmod 000 shell.txt .",
);
const opened = (await filesystem.read("shut/inner/file")).content;
await filesystem.restore(snapshot);
const restored = await run("ls; cat shell.txt");
const bomb = await run("bomb() { bomb | bomb & }; bomb; sleep 1; echo over");
const after = await run("echo well");
const { unenforcedLimits } = section;
const openMemory = await run(OPEN_MEMORY);
const watcher = await run("tr '\\0' '\\n' </proc/$PPID/cmdline; cat /proc/$PPID/environ; env");
const left = [await leaveWriter(filesystem, run)];
const { root } = filesystem;
await section.close();
const keeping = await PodmanSandboxSection.create({
  session,
  config: { image, overlayRoot, keepBackground: true },
});
const inKeeping = runIn(keeping);
const openInKeeping = await inKeeping(OPEN_MEMORY);
left.push(await leaveWriter(keeping.filesystem, inKeeping));
await keeping.close();
console.log(
  JSON.stringify({
    ...{ uid: process.getuid?.(), diagnosis, seen, closed, opened, restored, bomb, after },
    ...{ unenforcedLimits, isRemoved: !existsSync(root), left, watcher },
    openMemory: openMemory.stdout + openInKeeping.stdout,
  }),
);

type Run = (command: string) => Promise<{ exitCode: number | null; stdout: string }>;

function runIn(of: PodmanSandboxSection): Run {
  const context = createToolContext({ session, filesystem: of.filesystem });
  const shell = of.tools.find(({ name }) => name === "shell_execute");
  return async (command) => {
    const result = await shell?.handler({ command, cwd: ".", env: {} }, context);
    if (!result?.success) throw new Error(result?.message ?? "no answer");
    return result.value as Awaited<ReturnType<Run>>;
  };
}

/** Leaves a writing process behind, restores the files, and returns the processes that are left. */
async function leaveWriter(files: PodmanSandboxSection["filesystem"], inside: Run) {
  const empty = await files.snapshot();
  await inside(
    "(setsid sh -c 'while :; do echo x >>late.txt; done' >/dev/null 2>&1 &); while [ ! -s late.txt ]; do :; done",
  );
  await files.restore(empty);
  return (await inside(LEFT)).stdout;
}
