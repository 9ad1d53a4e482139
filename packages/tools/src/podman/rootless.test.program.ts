import { existsSync } from "node:fs";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { diagnosePodman } from "./diagnose.js";
import { PodmanSandboxSection } from "./podman-sandbox-section.js";

/** Uses a sandbox as a user who is not root, and prints what became of it. */
const image = "localhost/wink-sandbox-small:1";
const [overlayRoot = ""] = process.argv.slice(2);
const diagnosis = await diagnosePodman({ image });
const session = new Session();
const section = await PodmanSandboxSection.create({
  session,
  config: { image, overlayRoot, pidsLimit: 64, timeoutMs: 120_000 },
});
const { filesystem } = section;
const context = createToolContext({ session, filesystem });
const shell = section.tools.find(({ name }) => name === "shell_execute");
const run = async (command: string) => {
  const result = await shell?.handler({ command, cwd: ".", env: {} }, context);
  if (!result?.success) throw new Error(result?.message ?? "no answer");
  return result.value as { exitCode: number | null; stdout: string; stderr: string };
};

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
const { root } = filesystem;
await section.close();
console.log(
  JSON.stringify({
    ...{ uid: process.getuid?.(), diagnosis, seen, closed, opened, restored, bomb, after },
    ...{ unenforcedLimits, isRemoved: !existsSync(root) },
  }),
);
