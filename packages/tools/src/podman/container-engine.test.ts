import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Session } from "@wink/session";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { CliEngine } from "./cli-engine.js";
import { newMarks, readMarks } from "./command-marks.js";
import type {
  ContainerEngine,
  ContainerSpec,
  EngineReport,
  ExecRequest,
  RunningExec,
} from "./container-engine.js";
import { GUARD, MARKS_VARIABLE, PROBE } from "./container-programs.js";
import { diagnosePodman } from "./diagnose.js";
import { Overlay } from "./overlay.js";
import type { PodmanConfig } from "./podman-config.js";
import { PodmanSandboxSection } from "./podman-sandbox-section.js";
import { judgeProbe } from "./probe-container.js";
import { resolveConfig } from "./resolve-config.js";
import { runArguments } from "./run-arguments.js";
import { Sandbox } from "./sandbox.js";
import {
  hasPodman,
  IMAGE,
  makeFolder,
  openSandbox,
  ownContainers,
  SMALL_IMAGE,
} from "./sandbox.test.support.js";

const REPORT: EngineReport = {
  kind: "podman",
  version: "4.3.1",
  rootless: false,
  runtime: "runc",
  cgroupVersion: 1,
  controllers: ["cpu", "memory", "pids"],
  hasImage: true,
};

const INFO = JSON.stringify({
  host: {
    cgroupVersion: "v2",
    cgroupControllers: ["cpu", "memory", "pids"],
    ociRuntime: { name: "crun" },
    security: { rootless: true },
  },
  version: { Version: "5.1.0" },
});

/** Creates a program that replaces the engine. */
async function fakeProgram(script: string): Promise<string> {
  const path = join(await makeFolder(), "podman");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("an engine", () => {
  it("that is not installed is reported with the fix (SB-11, H192)", async () => {
    const config = { engine: "/nonexistent/podman", image: IMAGE };
    const creating = PodmanSandboxSection.create({ session: new Session(), config });
    await expect(creating).rejects.toMatchObject({
      code: "ENGINE_MISSING",
      message: expect.stringMatching(
        /^podman: it is not installed on this machine\. Install Podman/,
      ),
    });
    expect(await diagnosePodman({ engine: "/nonexistent/podman" })).toMatchObject({
      usable: false,
      checks: [{ name: "engine", status: "failed", action: expect.stringContaining("Install") }],
    });
  });

  it.each([
    {
      what: "whose socket is down",
      script: "echo 'Cannot connect' >&2; exit 125",
      code: "ENGINE_UNUSABLE",
    },
    {
      what: "without subordinate ids",
      script: "echo 'no subuid ranges found' >&2; exit 125",
      code: "ENGINE_UNUSABLE",
    },
    { what: "with unknown output", script: "echo '{}'", code: "ENGINE_UNUSABLE" },
    {
      what: "that is too old",
      script: `echo '${INFO.replace("5.1.0", "3.4.4")}'`,
      code: "ENGINE_TOO_OLD",
    },
    {
      what: "without a controller",
      script: `echo '${INFO.replace('"pids"', '"rdma"').replace("true", "false")}'`,
      code: "LIMIT_UNAVAILABLE",
    },
    {
      what: "without the image",
      script: `[ "$1" = info ] || exit 1; echo '${INFO}'`,
      code: "IMAGE_MISSING",
    },
  ])(
    "$what is refused immediately, without a retry (SB-11, H192, H193)",
    async ({ script, code }) => {
      const folder = await makeFolder();
      const engine = await fakeProgram(`echo x >>'${folder}/calls'\n${script}`);
      const config = { engine, image: IMAGE, overlayRoot: join(folder, "overlays") };
      const creating = PodmanSandboxSection.create({ session: new Session(), config });
      await expect(creating).rejects.toMatchObject({ code, name: "PodmanError" });
      await expect(creating).rejects.not.toThrow(folder);
      expect((await diagnosePodman({ engine, image: IMAGE })).usable).toBe(false);
      expect(readdirSync(folder)).toEqual(["calls"]);
    },
  );

  it("with Docker's output is detected as Docker (SB-11)", async () => {
    const docker =
      '{"ServerVersion":"24.0.7","CgroupVersion":"2","SecurityOptions":["name=rootless"]}';
    const engine = new CliEngine({ command: await fakeProgram(`echo '${docker}'`) });
    expect(await engine.inspect(IMAGE)).toEqual({
      ...{ kind: "docker", version: "24.0.7", rootless: true, runtime: "unknown" },
      ...{ cgroupVersion: 2, controllers: undefined, hasImage: true },
    });
  });
});

it.each<{ config: PodmanConfig; problem: string }>([
  { config: { image: "--privileged" }, problem: "image" },
  { config: { image: "a b" }, problem: "image" },
  { config: { workspaceRoot: "workspace" }, problem: "workspaceRoot" },
  { config: { workspaceRoot: "/" }, problem: "workspaceRoot" },
  { config: { workspaceRoot: "/etc/x" }, problem: "workspaceRoot" },
  { config: { workspaceRoot: "/a/../etc" }, problem: "workspaceRoot" },
  { config: { user: "0" }, problem: "user" },
  { config: { user: "root" }, problem: "user" },
  { config: { user: "1000:0" }, problem: "user" },
  { config: { connection: "--url=x" }, problem: "connection" },
  { config: { memoryLimit: "1 gigabyte" }, problem: "memoryLimit" },
  { config: { memoryLimit: "1m" }, problem: "memoryLimit" },
  { config: { diskLimit: -1 }, problem: "diskLimit" },
  { config: { cpuLimit: 0 }, problem: "cpuLimit" },
  { config: { pidsLimit: 1.5 }, problem: "pidsLimit" },
  { config: { timeoutMs: 0 }, problem: "timeoutMs" },
  // From a JSON settings file, which has no type check.
  { config: JSON.parse('{"networkEnabled":"no"}'), problem: "networkEnabled" },
  { config: { engine: "" }, problem: "engine" },
  { config: { env: { "A B": "c" } }, problem: "A B" },
  { config: { env: { A: "c\0" } }, problem: "env.A" },
])(
  "resolveConfig refuses $config before anything is started (SB-11, H194)",
  ({ config, problem }) => {
    expect(() => resolveConfig(config)).toThrow(problem);
  },
);

const SPEC: ContainerSpec = {
  name: "wink-x-1",
  clientDirectory: "/",
  image: IMAGE,
  command: ["sh", "-c", "x"],
  labels: { "wink.owner": "--privileged" },
  env: { A: "-v /:/host" },
  mounts: [{ source: "/a", target: "/workspace", readOnly: false }],
  workdir: "/workspace",
  user: "65532:65532",
  keepId: false,
  networkEnabled: false,
  cpuLimit: 1,
  memoryLimitBytes: 1024 ** 3,
  pidsLimit: 256,
  maxFileBytes: 1024,
  tmpBytes: 1024,
  maxUserProcesses: 100,
};

it("runArguments contains every isolation option, and no value can become an option (SB-7, H194)", () => {
  for (const kind of ["podman", "docker"] as const) {
    const args = runArguments(SPEC, { ...REPORT, kind });
    const before = args.slice(0, args.indexOf(IMAGE));
    expect(before).toEqual(
      expect.arrayContaining([
        ...["--pull=never", "--network=none", "--cap-drop=ALL", "--security-opt=no-new-privileges"],
        ...["--read-only", "--pids-limit=256", "--memory=1073741824", "--memory-swap=1073741824"],
        ...["--cpus=1", "--user=65532:65532", "--log-driver=none", "--hostname=sandbox"],
      ]),
    );
    expect(before.every((arg) => /^--[a-z-]+(=|$)/.test(arg))).toBe(true);
    expect(before).not.toContain("--privileged");
  }
});

const GOOD = [
  "uid 65532",
  "capabilities 0000000000000000",
  "bounding-set 0000000000000020",
  "memory closed",
  "no-new-privileges 1",
  "network lo",
  "root read-only",
  "workspace shared",
  "memory-limit 1073741824",
  "pids-limit 256",
  "cpu-limit 100000",
  "done",
];

it.each([
  { from: "uid 65532", to: "uid 0", problem: "run as root" },
  {
    from: "capabilities 0000000000000000",
    to: "capabilities 00000000a80425fb",
    problem: "capabilities",
  },
  {
    from: "bounding-set 0000000000000020",
    to: "bounding-set 0000000000000021",
    problem: "gain capabilities",
  },
  {
    from: "memory closed",
    to: "memory closed\nmemory open",
    problem: "change the guard's processes",
  },
  { from: "no-new-privileges 1", to: "no-new-privileges 0", problem: "gain privileges" },
  { from: "network lo", to: "network lo\nnetwork eth0", problem: "network" },
  { from: "root read-only", to: "root writable", problem: "root is writable" },
  { from: "workspace shared", to: "workspace foreign", problem: "not the tools' workspace" },
  { from: "done", to: "", problem: "could not be checked" },
  {
    from: "memory-limit 1073741824",
    to: "memory-limit 9223372036854771712",
    problem: "limit for memory",
  },
  { from: "pids-limit 256", to: "pids-limit max", problem: "limit for pids" },
  { from: "uid 65532", to: "uid 65532\nmissing setsid", problem: "no setsid" },
])("judgeProbe refuses a container that reports $to (SB-7)", ({ from, to, problem }) => {
  const expected = { networkEnabled: false, memoryLimitBytes: 1024 ** 3, pidsLimit: 256 };
  expect(judgeProbe(GOOD.join("\n"), expected, REPORT)).toMatchObject({ unenforced: [] });
  const bad = GOOD.map((line) => (line === from ? to : line)).join("\n");
  expect(() => judgeProbe(bad, expected, REPORT)).toThrow(problem);
});

describe.runIf(hasPodman)("a real container", () => {
  it.each([
    { weak: "network", from: "--network=none", to: "--network=host", problem: /it has a network/ },
    {
      weak: "capabilities",
      from: "--cap-drop=ALL",
      to: "--tty=false",
      problem: /it could gain capabilities/,
    },
    {
      weak: "privileges",
      from: "--security-opt=no-new-privileges",
      to: "--tty=false",
      problem: /gain privileges/,
    },
    { weak: "root", from: "--read-only", to: "--tty=false", problem: /its root is writable/ },
    { weak: "user", from: "--user=65532:65532", to: "--user=0:0", problem: /run as root/ },
    {
      weak: "PID 1",
      from: "--user=0:0",
      to: "--user=65532:65532",
      problem: /change the guard's processes|sleep, cp or chmod/,
    },
  ])(
    "that the engine does not isolate ($weak) is detected and removed (SB-7)",
    async ({ from, to, problem }) => {
      // The real engine, called with one option replaced by another.
      const engine = await fakeProgram(
        `n=$#; while [ $n -gt 0 ]; do n=$((n-1)); a=$1; shift; [ "$a" = '${from}' ] && a='${to}'; set -- "$@" "$a"; done; exec podman "$@"`,
      );
      const box = await openSandbox({ engine, image: SMALL_IMAGE });
      const { result, text } = await box.call("shell_execute", { command: "echo inside >proof" });
      expect(result.success).toBe(false);
      expect(text).toMatch(problem);
      expect(await box.filesystem.exists("proof")).toBe(false);
      expect(await ownContainers()).toEqual([]);
      await box.section.close();
    },
  );

  it("is diagnosed, with a report of what works and what does not (SB-11)", async () => {
    const diagnosis = await diagnosePodman({ image: IMAGE });
    expect(diagnosis.usable).toBe(true);
    expect(diagnosis.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["engine", "runtime", "limits", "image", "container"]),
    );
    const small = await diagnosePodman({ image: SMALL_IMAGE });
    expect(small.checks).toContainEqual(
      expect.objectContaining({
        name: "image",
        status: "warning",
        message: "It has no python3 and no git.",
      }),
    );
    expect(await diagnosePodman({ image: "localhost/nope:1" })).toMatchObject({ usable: false });
  });
});

it("readMarks finds the wrapper's marks in any output of a command (SB-5, H216)", () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, fc.integer({ min: 0, max: 255 }), (printed, code) => {
      const marks = newMarks();
      const { begin, end } = marks;
      const whole = Buffer.concat([Buffer.from(begin), printed, Buffer.from(`${end}${code}`)]);
      expect(readMarks(whole, marks)).toEqual({ begun: true, ending: code, bytes: printed });
      const killed = whole.subarray(0, begin.length + printed.length);
      expect(readMarks(killed, marks)).toEqual({ begun: true, ending: undefined, bytes: printed });
      expect(readMarks(printed, marks)).toMatchObject({ begun: false, ending: undefined });
      // A command can read the begin mark back from the pipe, but that does not reveal the end mark.
      const forged = Buffer.concat([killed, Buffer.from(`${begin.replace("<", ">")}0`)]);
      expect(readMarks(forged, marks)).toMatchObject({ begun: true, ending: undefined });
    }),
  );
});

it("A sandbox does not run a command if it is closed during the container start (SB-8, SB-15)", async () => {
  const ran: (readonly string[])[] = [];
  const { engine, started, removed } = memoryEngine(({ argv }) => {
    ran.push(argv);
    return {};
  });
  let goOn = () => {};
  const isLetOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow: ContainerEngine = {
    ...engine,
    async start(spec, report) {
      const id = await engine.start(spec, report);
      await isLetOn;
      return id;
    },
  };
  const sandbox = await sandboxOn(slow);
  const running = sandbox.run(command("sleep 1000"));
  const refused = expect(running).rejects.toMatchObject({ code: "CLOSED", subject: "sandbox" });
  await vi.waitFor(() => expect(started).toHaveLength(1), { timeout: 30_000 });
  const closing = sandbox.close();
  goOn();
  await refused;
  await closing;
  expect({ ran, removed }).toEqual({ ran: [], removed: ["id-1"] });
});

async function sandboxOn(engine: ContainerEngine): Promise<Sandbox> {
  const overlayRoot = await makeFolder();
  const user = { uid: 65_532, gid: 65_532 };
  return new Sandbox({
    config: { ...resolveConfig({ overlayRoot }), engine },
    report: REPORT,
    overlay: Overlay.create(overlayRoot, user),
    ...{ user, mounts: [], onProgress: undefined },
  });
}

function command(text: string) {
  const { signal } = new AbortController();
  return { argv: ["sh", "-c", text], directory: "/workspace", env: {}, timeoutMs: 60_000, signal };
}

/** A fake engine in memory. It is fast, but proves nothing about container isolation. */
function memoryEngine(exec: (request: ExecRequest) => { stdout?: string; stderr?: string }) {
  const started: ContainerSpec[] = [];
  const removed: string[] = [];
  const engine: ContainerEngine = {
    name: "memory",
    inspect: async () => REPORT,
    start: async (spec) => {
      started.push(spec);
      return `id-${started.length}`;
    },
    exec(_, request) {
      const { argv } = request;
      if (argv.includes(GUARD)) return memoryGuard();
      const { stdout = "", stderr = "" } = argv.includes(PROBE)
        ? { stdout: GOOD.join("\n") }
        : exec(request);
      const streams = [stdout, stderr].map((text) => new PassThrough().end(text));
      const ended = Promise.all(streams.map((each) => new Promise((done) => each.on("end", done))));
      const [out = new PassThrough(), err = new PassThrough()] = streams;
      return {
        ...{ stdin: undefined, stdout: out, stderr: err, abandon: () => {} },
        ended: ended.then(() => ({ exitCode: 0 })),
      };
    },
    remove: async (ids) => void removed.push(...ids),
    removeNow: () => {},
    list: async () => [],
  };
  return { engine, started, removed };
}

/** A fake guard that immediately answers that all processes are dead. */
function memoryGuard(): RunningExec {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  stdout.write("ready\n");
  stdin.on("data", () => stdout.write("left 0\n"));
  const ended = new Promise<{ exitCode: number }>((resolve) => {
    stdin.on("end", () => resolve({ exitCode: 0 }));
  });
  return { stdin, stdout, stderr: new PassThrough(), ended, abandon: () => void stdin.end() };
}

it("A sandbox retries a command once in a new container if it could not begin, and never repeats one that began (SB-3, H215)", async () => {
  let tries = 0;
  const { engine, started, removed } = memoryEngine(({ env }) => {
    const [begin, end] = (env[MARKS_VARIABLE] ?? "").split(" ");
    return ++tries === 2
      ? { stdout: "ran", stderr: `${begin}${end}0` }
      : { stderr: "no such container" };
  });
  const sandbox = await sandboxOn(engine);
  expect(await sandbox.run(command("true"))).toMatchObject({ exitCode: 0, stdout: "ran" });
  expect(started).toHaveLength(2);
  expect(removed).toEqual(["id-1"]);
  // From now on no command begins. The sandbox retries once and then reports an error.
  await expect(sandbox.run(command("true"))).rejects.toThrow("cannot run commands");
  expect(tries).toBe(4);
  await sandbox.close();
  expect(new Set(removed).size).toBe(started.length);
});
