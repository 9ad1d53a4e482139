import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Run } from "./harness.js";

/** The command line against a Node that does nothing. */
export async function run(run: Run): Promise<void> {
  // The compiled benchmark is one directory deeper than its source.
  const wink = fileURLToPath(new URL("../../apps/cli/bin/wink.js", import.meta.url));
  const times = 5;
  const start = (...args: readonly string[]) => {
    for (let index = 0; index < times; index++) execFileSync(process.execPath, args);
    return times;
  };
  await run.compare({
    name: "wink --version",
    ours: () => start(wink, "--version"),
    peers: { "node -e 0": () => start("-e", "0") },
    targets: [{ peer: "node -e 0", atMost: 3 }],
  });
}
