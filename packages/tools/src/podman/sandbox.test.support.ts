import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SnapshotableFilesystem } from "@wink/filesystem";
import { processIdentity } from "@wink/filesystem/host";
import type { ToolContext } from "@wink/prompt";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { afterAll, expect } from "vitest";
import { type Answer, callTool } from "../reply/call-tool.test.support.js";
import { hasComponent } from "../reply/component.test.support.js";
import { CliEngine } from "./cli-engine.js";
import type { PodmanConfig } from "./podman-config.js";
import { PodmanSandboxSection } from "./podman-sandbox-section.js";
import { OWNER_LABEL } from "./sandbox-container.js";
import type { ShellExecuteValue } from "./shell-execute.js";

/** Built by `scripts/images/build.sh`. */
export const IMAGE = "localhost/wink-sandbox:1";
/** Contains only busybox. */
export const SMALL_IMAGE = "localhost/wink-sandbox-small:1";

const HOW_TO =
  "containers need Podman and the images of scripts/images/build.sh; apt-get install podman runc busybox-static uidmap, then run that script, also with --small";

/** Whether the engine and the images exist. Prints a notice once if not. */
export const hasPodman: boolean = hasComponent(await findPodman(), HOW_TO);

export interface OpenSandbox {
  readonly section: PodmanSandboxSection;
  readonly session: Session;
  readonly filesystem: SnapshotableFilesystem;
  readonly context: ToolContext;
  call(tool: string, input: unknown, context?: ToolContext): Promise<Answer>;
  /** Returns the text of a call's answer. */
  ask(tool: string, input: unknown): Promise<string>;
  /** Returns the result of a command. Throws if it was not run. */
  run(command: string | readonly string[], more?: object): Promise<ShellExecuteValue>;
  /** Returns the stdout of a command that must exit with 0. */
  print(command: string | readonly string[], more?: object): Promise<string>;
}

const opened: PodmanSandboxSection[] = [];
const folders: string[] = [];

// Closes all sandboxes, and checks that no container is left.
afterAll(async () => {
  for (const section of opened) await section.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  if (hasPodman) expect(await ownContainers()).toEqual([]);
}, 300_000);

export async function openSandbox(
  config: PodmanConfig = {},
  options: { readonly readBeforeWrite?: boolean } = {},
): Promise<OpenSandbox> {
  const session = new Session();
  const section = await PodmanSandboxSection.create({
    session,
    config: { image: IMAGE, ...config },
    readBeforeWrite: false,
    ...options,
  });
  opened.push(section);
  const { filesystem } = section;
  const context = createToolContext({ session, filesystem });
  const call = (name: string, input: unknown, given = context) =>
    callTool(
      section.tools.find((tool) => tool.name === name),
      input,
      given,
    );
  const ask = async (name: string, input: unknown) => (await call(name, input)).text;
  const run = async (command: string | readonly string[], more: object = {}) => {
    const { result, text } = await call("shell_execute", { command, ...more });
    if (!result.success) throw new Error(text);
    // The declared value type of the tool.
    return result.value as ShellExecuteValue;
  };
  const print = async (command: string | readonly string[], more: object = {}) => {
    const { exitCode, stdout, stderr } = await run(command, more);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    return stdout;
  };
  return { section, session, filesystem, context, call, ask, run, print };
}

/** Creates a temporary folder, which is removed after the tests. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wink-podman-"));
  folders.push(folder);
  return folder;
}

/** The containers of this process. Other processes may have containers too. */
export async function ownContainers(): Promise<readonly string[]> {
  const listed = await new CliEngine().list(OWNER_LABEL);
  return listed
    .filter(({ labels }) => labels[OWNER_LABEL] === processIdentity())
    .map(({ id }) => id);
}

/** Runs Podman directly, without the section knowing. */
export function podman(...args: readonly string[]): string {
  return execFileSync("podman", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

async function findPodman(): Promise<boolean> {
  try {
    const engine = new CliEngine();
    const found = [await engine.inspect(IMAGE), await engine.inspect(SMALL_IMAGE)];
    return found.every(({ hasImage }) => hasImage);
  } catch {
    return false;
  }
}
