/**
 * Faults in and around a container, each repeated a few times.
 *
 * To run more rounds:
 *
 *     WINK_SANDBOX_ROUNDS=50 vitest run --config scripts/vitest.config.ts sandbox-faults
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { CliEngine } from "./cli-engine.js";
import { removeAbandoned } from "./remove-abandoned.js";
import {
  hasPodman,
  makeFolder,
  type OpenSandbox,
  openSandbox,
  ownContainers,
  podman,
} from "./sandbox.test.support.js";

const ROUNDS = Number(process.env["WINK_SANDBOX_ROUNDS"] ?? 1);
const WAIT = { timeout: 120_000, interval: 200 };

interface Fault {
  readonly what: string;
  readonly cases: string;
  /** Causes the fault and checks the answer. */
  readonly happen: (box: OpenSandbox) => Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    what: "a fork bomb",
    cases: "H207",
    async happen({ run }) {
      await run("bomb() { bomb | bomb & }; bomb; sleep 2", { timeout_seconds: 20 });
    },
  },
  {
    what: "thousands of orphans",
    cases: "H207",
    async happen({ run }) {
      const value = await run("for i in $(seq 1 400); do (true &); done; echo done");
      expect(value.stdout).toBe("done\n");
    },
  },
  {
    what: "a memory bomb",
    cases: "H208",
    async happen({ run }) {
      const bomb = "x = []\nwhile True: x.append(bytearray(4 << 20))";
      const { exitCode, stdout } = await run(`python3 -c '${bomb}'; echo "shell saw $?"`);
      // The kernel kills the largest process. If it also kills the shell, there is no exit code.
      expect([0, null]).toContain(exitCode);
      if (exitCode === 0) expect(stdout).toBe("shell saw 137\n");
      // Some engines write this file into their working directory.
      expect(existsSync("oom")).toBe(false);
    },
  },
  {
    what: "a busy CPU",
    cases: "H210",
    async happen({ run }) {
      const command = "for i in 1 2 3 4; do while :; do :; done & done; wait";
      expect(await run(command, { timeout_seconds: 1 })).toMatchObject({ timedOut: true });
    },
  },
  {
    what: "a flood of output",
    cases: "H203",
    async happen({ run }) {
      expect(await run("cat /dev/zero & yes >&2")).toMatchObject({ flooded: true });
    },
  },
  {
    what: "a full workspace",
    cases: "H211",
    async happen({ call, filesystem, run }) {
      const transaction = await filesystem.begin({ full: true });
      const fill = "i=0; while :; do i=$((i+1)); head -c 4000000 /dev/zero >fill$i || break; done";
      const { result, text } = await call("shell_execute", { command: fill });
      expect({ success: result.success, text }).toMatchObject({ success: false });
      expect(text).toContain("The workspace may hold 64 MiB");
      await transaction.rollback();
      // The kernel limits the size of each file, in any directory.
      const { stdout } = await run(
        "truncate -s 67108864 /tmp/one && echo fits; truncate -s 67108865 /tmp/one || echo refused",
      );
      expect(stdout).toBe("fits\nrefused\n");
    },
  },
  {
    what: "too many files",
    cases: "H211",
    async happen({ call, filesystem }) {
      const transaction = await filesystem.begin({ full: true });
      const command = "mkdir many; cd many; i=0; while :; do i=$((i+1)); : >f$i; done";
      const { text } = await call("shell_execute", { command });
      expect(text).toContain("in 2,000 files. The command exceeded this");
      await transaction.rollback();
    },
  },
  {
    what: "a full /tmp and /dev/shm",
    cases: "H211",
    async happen({ run }) {
      const { stdout } = await run(
        "cat /dev/zero >/tmp/x; cat /dev/zero >/dev/shm/x; echo survived",
        { timeout_seconds: 60 },
      );
      // Both use the container's memory, and both are smaller than its memory limit.
      expect(stdout).toBe("survived\n");
    },
  },
  {
    what: "memory full of segments that no process owns",
    cases: "H208",
    async happen({ run }) {
      const segment = "shmat(libc.shmget(0, 1 << 20, 0o1600), None, 0)";
      const fill = `import ctypes\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\nfor i in range(1000): ctypes.memset(libc.${segment}, 1, 1 << 20)`;
      // Each round leaves less memory, until no process can be started.
      for (let time = 0; time < 3; time++) await run(`python3 -c '${fill}'`);
    },
  },
  {
    what: "kill -9 -1",
    cases: "H205",
    async happen({ run }) {
      expect(await run("kill -9 -1; sleep 1000")).toMatchObject({
        exitCode: null,
        timedOut: false,
      });
    },
  },
  {
    what: "PID 1 killed while a command runs",
    cases: "H209",
    async happen(box) {
      await during(box, (id) => podman("kill", "--signal=KILL", id));
    },
  },
  {
    what: "the container removed while a command runs",
    cases: "H209",
    async happen(box) {
      await during(box, (id) => podman("rm", "--force", id));
    },
  },
  {
    what: "the container removed between commands",
    cases: "H215",
    async happen(box) {
      podman("rm", "--force", ...(await containerOf(box)));
    },
  },
  {
    what: "the container stopped from outside",
    cases: "H215",
    async happen(box) {
      podman("stop", "--time=0", ...(await containerOf(box)));
    },
  },
  {
    what: "the container paused from outside",
    cases: "H215",
    async happen(box) {
      podman("pause", ...(await containerOf(box)));
    },
  },
];

describe.runIf(hasPodman)("after", () => {
  it.each(FAULTS)(
    "$what the next command works, the files exist, and no process is left (SB-14, $cases)",
    async ({ happen }) => {
      const overlayRoot = await makeFolder();
      const descriptors = openDescriptors();
      const box = await openSandbox({
        ...{ overlayRoot, pidsLimit: 64, memoryLimit: "128m", diskLimit: "64m", maxFiles: 2_000 },
        maxOutputBytes: 1_000_000,
      });
      try {
        await box.filesystem.write("kept.txt", "kept");
        for (let round = 0; round < ROUNDS; round++) {
          expect(await box.print("cat kept.txt")).toBe("kept");
          await happen(box);
          expect(await box.print("cat kept.txt; echo; echo again")).toBe("kept\nagain\n");
        }
      } finally {
        await box.section.close();
      }
      expect(readdirSync(overlayRoot)).toEqual([]);
      expect(await ownContainers()).toEqual([]);
      await vi.waitFor(() => expect(openDescriptors()).toBeLessThanOrEqual(descriptors), WAIT);
    },
    1_800_000,
  );
});

describe.runIf(hasPodman)("when the host process ends", () => {
  it("normally, its container and its workspace are removed (SB-15)", async () => {
    const overlayRoot = await makeFolder();
    const child = await startOwner(overlayRoot, "exit");
    await ended(child.process);
    expect(readdirSync(overlayRoot)).toEqual([]);
    expect(await containersOf(child.container)).toEqual([]);
  });

  it("by a kill, the next section removes its container and its workspace (SB-15, H214)", async () => {
    const overlayRoot = await makeFolder();
    const child = await startOwner(overlayRoot, "stay");
    expect(await containersOf(child.container)).toEqual([child.container]);
    // Those of a live process are not removed.
    await removeAbandoned(new CliEngine(), overlayRoot);
    expect(await containersOf(child.container)).toEqual([child.container]);
    child.process.kill("SIGKILL");
    await ended(child.process);
    expect(readdirSync(overlayRoot)).toHaveLength(1);
    const box = await openSandbox({ overlayRoot });
    expect(await containersOf(child.container)).toEqual([]);
    await box.section.close();
    expect(readdirSync(overlayRoot)).toEqual([]);
  });

  it("by a kill, its container ends after its maximum lifetime (SB-15, H214)", async () => {
    const overlayRoot = await makeFolder();
    const child = await startOwner(overlayRoot, "stay", "20000");
    child.process.kill("SIGKILL");
    await ended(child.process);
    await vi.waitFor(
      () => expect(podman("ps", "--quiet", "--no-trunc")).not.toContain(child.container),
      WAIT,
    );
    await removeAbandoned(new CliEngine(), overlayRoot);
    expect(readdirSync(overlayRoot)).toEqual([]);
  });
});

interface Owner {
  readonly process: ChildProcess;
  readonly container: string;
}

const PROGRAM = fileURLToPath(new URL("./sandbox-owner.test.program.ts", import.meta.url));

/** Starts a process that has a section with a running container. */
async function startOwner(
  overlayRoot: string,
  then: "exit" | "stay",
  maxLifetimeMs = "600000",
): Promise<Owner> {
  const args = ["--import", "tsx", "--conditions=@wink/source", PROGRAM];
  const child = spawn(process.execPath, [...args, overlayRoot, then, maxLifetimeMs], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const container = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const name = /container (\w+)/.exec(text)?.[1];
      if (name !== undefined) resolve(name);
    });
    child.on("error", reject);
    child.on("exit", () =>
      reject(new Error(`The process ended before it had a container: ${text}`)),
    );
  });
  return { process: child, container };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once("exit", resolve));
}

async function containersOf(id: string): Promise<readonly string[]> {
  return podman("ps", "--all", "--quiet", "--no-trunc", `--filter=id=${id}`)
    .split("\n")
    .filter((line) => line !== "");
}

/** The container of a section. */
async function containerOf(box: OpenSandbox): Promise<readonly string[]> {
  const { root } = box.filesystem;
  const name = root.split("/").at(-2);
  const found = podman("ps", "--all", "--quiet", "--no-trunc", `--filter=name=${name}-`).trim();
  expect(found).toMatch(/^[0-9a-f]{64}$/);
  return [found];
}

/** Calls `act` on the container while a command runs in it. */
async function during(box: OpenSandbox, act: (id: string) => void): Promise<void> {
  const [id = ""] = await containerOf(box);
  rmSync(`${box.filesystem.root}/begun`, { force: true });
  const running = box.call("shell_execute", { command: "touch begun; sleep 1000" });
  const isBegun = () => expect(existsSync(`${box.filesystem.root}/begun`)).toBe(true);
  await vi.waitFor(isBegun, WAIT);
  act(id);
  const { result, text } = await running;
  expect({ success: result.success, text }).toMatchObject({
    success: true,
    text: expect.stringContaining("The container was lost"),
  });
}

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
