/** Tests that a command cannot attack the processes that run, watch and kill it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasPodman, type OpenSandbox, openSandbox, podman } from "./sandbox.test.support.js";

const CONFIGURATIONS = [
  { name: "the default configuration", config: {} },
  { name: "keepBackground", config: { keepBackground: true } },
];

/** Tries to open the memory of every other process for writing, and prints the processes where it succeeds. */
const OPEN_MEMORY = `
import os
opened = []
for name in os.listdir("/proc"):
    if not name.isdigit() or int(name) == os.getpid(): continue
    try:
        os.close(os.open("/proc/" + name + "/mem", os.O_RDWR))
        opened.append(name)
    except OSError: pass
print(opened)`;

/** Starts a process that appends to a file until it is killed. It does not keep the command's streams open. */
const LEAVE_WRITER = `
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2): os.dup2(null, fd)
    while True:
        with open("/workspace/late.txt", "a") as late: late.write("x")
        time.sleep(0.01)
while not os.path.exists("/workspace/late.txt"): time.sleep(0.01)`;

/** Overwrites "kill" in the unread script of every shell in the container, and "sleep" in the script of PID 1. */
const OVERWRITE_MEMORY = `${LEAVE_WRITER}
for name in os.listdir("/proc"):
    if not name.isdigit() or int(name) == os.getpid(): continue
    try: maps = open("/proc/" + name + "/maps").read().splitlines()
    except OSError: continue
    for line in maps:
        where, rights = line.split()[:2]
        if not rights.startswith("rw"): continue
        begin, end = (int(part, 16) for part in where.split("-"))
        try:
            mem = os.open("/proc/" + name + "/mem", os.O_RDWR)
            text = os.pread(mem, end - begin, begin)
            for old, new in ((b"kill -9 -1", b"true      "), (b"] || kill", b"] || true")):
                at = text.find(old)
                while at >= 0:
                    os.pwrite(mem, new, begin + at)
                    at = text.find(old, at + 1)
            os.close(mem)
        except OSError: pass`;

/** Each child forks the next one and exits, so that any list of processes is outdated when it is read. */
const FORK_CHAIN = `${LEAVE_WRITER}
if os.fork() == 0:
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2): os.dup2(null, fd)
    while True:
        try:
            if os.fork(): os._exit(0)
        except OSError: pass`;

/** The first thread exits and the second one writes, so that the process looks like a zombie. */
const DEAD_LEADER = `
import ctypes, os, threading, time
def write():
    while True:
        with open("/workspace/late.txt", "a") as late: late.write("x")
        time.sleep(0.01)
if os.fork() == 0:
    os.setsid()
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2): os.dup2(null, fd)
    threading.Thread(target=write).start()
    ctypes.CDLL(None).syscall(60, 0)
while not os.path.exists("/workspace/late.txt"): time.sleep(0.01)`;

const STOPPED = `${LEAVE_WRITER}
import signal
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) not in (1, os.getpid()):
        try: os.kill(int(name), signal.SIGSTOP)
        except OSError: pass
os.kill(os.getppid(), signal.SIGCONT)`;

const KILL_WATCHER = `${LEAVE_WRITER}
os.kill(os.getppid(), 9)`;

const LOWER_LIMITS = `${LEAVE_WRITER}
import resource
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) != os.getpid():
        try: resource.prlimit(int(name), resource.RLIMIT_NOFILE, (0, 0))
        except OSError: pass`;

const ATTACKS = [
  { what: "overwrites the shells' memory", script: OVERWRITE_MEMORY },
  { what: "forks faster than processes are listed", script: FORK_CHAIN },
  { what: "ends its first thread", script: DEAD_LEADER },
  { what: "stops every process", script: STOPPED },
  { what: "kills the shell that waits for it", script: KILL_WATCHER },
  { what: "lowers the descriptor limit of every process", script: LOWER_LIMITS },
];

describe.runIf(hasPodman).each(CONFIGURATIONS)("a command with $name", ({ config }) => {
  it("cannot open the memory of any other process (SB-17)", async () => {
    const box = await openSandbox(config);
    expect(await box.print(["python3", "-c", OPEN_MEMORY])).toBe("[]\n");
    await box.section.close();
  });

  it("cannot read the end mark (SB-17, SB-5)", async () => {
    const box = await openSandbox(config);
    const { stdout } = await box.run(
      "tr '\\0' '\\n' </proc/$PPID/cmdline; cat /proc/$PPID/environ; ls -l /proc/$PPID/fd; env; cat /proc/1/environ",
    );
    expect(stdout).not.toMatch(/[0-9a-f]{24}/);
    await box.section.close();
  });

  it.each(ATTACKS)(
    "that $what leaves no process that writes after a restore or rollback (SB-8, SB-9, SB-18, TM-19)",
    async ({ script }) => {
      const box = await openSandbox(config);
      const snapshot = await box.filesystem.snapshot();
      await box.run(["python3", "-c", script], { timeout_seconds: 60 });
      await box.filesystem.restore(snapshot);
      expect(survivors(box)).toEqual([]);
      const transaction = await box.filesystem.begin({ full: true });
      await box.run(["python3", "-c", script], { timeout_seconds: 60 });
      await transaction.rollback();
      expect(survivors(box)).toEqual([]);
      expect(existsSync(join(box.filesystem.root, "late.txt"))).toBe(false);
      await box.section.close();
    },
  );
});

/** The remaining attacker processes, as seen by the host. */
function survivors(box: OpenSandbox): readonly string[] {
  const name = box.filesystem.root.split("/").at(-2);
  const running = podman("ps", "--quiet", `--filter=name=${name}-`).trim();
  if (running === "") return [];
  return podman("top", running, "huser", "hpid", "state", "comm")
    .trim()
    .split("\n")
    .slice(1)
    .filter((line) => line.endsWith("python3") && isAlive(line.split(/\s+/)[1] ?? ""));
}

/** A zombie without other threads counts as ended. */
function isAlive(pid: string): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return !(/^State:\s+[ZX]/m.test(status) && /^Threads:\s+[01]$/m.test(status));
  } catch {
    return false;
  }
}
