import { execFileSync } from "node:child_process";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { PodmanSandboxSection } from "./podman-sandbox-section.js";

/** Creates a section with a container and prints its id. Then it exits without closing it, or waits to be killed. */
const [overlayRoot = "", then = "exit", maxLifetimeMs = "600000"] = process.argv.slice(2);
const session = new Session();
const section = await PodmanSandboxSection.create({
  session,
  config: {
    image: "localhost/wink-sandbox-small:1",
    overlayRoot,
    maxLifetimeMs: Number(maxLifetimeMs),
  },
});
const shell = section.tools.find(({ name }) => name === "shell_execute");
const input = { command: "echo in", cwd: ".", env: {} };
await shell?.handler(input, createToolContext({ session, filesystem: section.filesystem }));
const name = section.filesystem.root.split("/").at(-2);
const args = ["ps", "--all", "--quiet", "--no-trunc", `--filter=name=${name}-`];
console.log(`container ${execFileSync("podman", args, { encoding: "utf8" }).trim()}`);
if (then === "exit") process.exit(0);
setInterval(() => {}, 1_000);
