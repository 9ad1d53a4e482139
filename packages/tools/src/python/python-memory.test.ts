import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { InMemoryFilesystem } from "@wink/filesystem";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import { callTool } from "../reply/call-tool.test.support.js";
import { openPython, pythonIsHere } from "./interpreter.test.support.js";
import { MEMORY_OVERHEAD_BYTES, MontyProcess } from "./monty-process.js";
import { DEFAULT_PYTHON_LIMITS } from "./python-engine.js";

/** Programs whose values are small in the interpreter but large outside, or that allocate memory without a check. */
const PROGRAMS = [
  { what: "a list that shares a long text", code: "a = ['x' * 10**6] * 10**6" },
  { what: "a join of a shared text", code: "','.join(['x' * 10**6] * 3000)" },
  {
    what: "a result that shares its parts",
    code: "b = ['x' * 10**5] * 100\nc = [b] * 1000\nresult = [c] * 100",
  },
  {
    what: "a result that doubles",
    code: "result = ['x']\nfor _ in range(40): result = [result, result]",
  },
  {
    what: "an argument that doubles",
    code: "a = 'x' * 10**6\nb = [a] * 10**4\nwrite_text('f', [b] * 100)",
  },
];

/** Memory-mapped code and libraries. */
const MAPPED_BYTES = 96 * 1024 * 1024;
const MAX_RESIDENT_BYTES =
  DEFAULT_PYTHON_LIMITS.maxMemoryBytes + MEMORY_OVERHEAD_BYTES + MAPPED_BYTES;

describe.runIf(pythonIsHere && process.platform === "linux")("the memory of a program", () => {
  it.each(PROGRAMS)("is limited by the kernel: $what (TL-55, TL-53, I225)", async ({ code }) => {
    const section = openPython({ limits: { timeoutMs: 60_000 } });
    const tool = section?.tools[0];
    const context = createToolContext({
      session: new Session(),
      filesystem: new InMemoryFilesystem(),
    });
    await callTool(tool, { code: "1" }, context);
    const [pid = 0] = interpreters();
    expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toMatch(
      new RegExp(`Max data size +${DEFAULT_PYTHON_LIMITS.maxMemoryBytes + MEMORY_OVERHEAD_BYTES} `),
    );
    const peak = watchPeak(pid);
    const { result, text } = await callTool(tool, { code }, context);
    expect({ success: result.success, text }).toEqual({
      success: false,
      text: "The program needed more than 64 MiB of memory and was ended.",
    });
    expect(peak()).toBeLessThan(MAX_RESIDENT_BYTES);
    expect((await callTool(tool, { code: "20 + 1" }, context)).text).toContain("21");
    await section?.close();
  });

  it("is limited by a watcher if the kernel cannot do it (TL-55)", async () => {
    const url = pathToFileURL(createRequire(import.meta.url).resolve("@pydantic/monty")).href;
    const { maxMemoryBytes } = DEFAULT_PYTHON_LIMITS;
    const interpreter = new MontyProcess({ url, maxMemoryBytes, limitedBy: "watcher" });
    await interpreter.ready();
    const [pid = 0] = interpreters();
    expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toMatch(/Max data size +unlimited/);
    const limits = { ...DEFAULT_PYTHON_LIMITS, timeoutMs: 60_000 };
    const request = { code: PROGRAMS[0]?.code, globals: {}, exports: [], functions: [], limits };
    interpreter.send({ type: "run", ...request });
    expect(await interpreter.next()).toBeUndefined();
    expect(interpreter.isOutOfMemory).toBe(true);
  });
});

/** The pids of the interpreters that this process started. */
function interpreters(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const parent = /^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1];
      return Number(parent) === process.pid && read(`/proc/${pid}/cmdline`).includes("monty");
    });
}

/** Resolves to the peak resident memory of a process, from the last read before it ended. */
function watchPeak(pid: number): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
    peak = Math.max(peak, Number(kib ?? 0) * 1024);
  }, 1);
  return () => {
    clearInterval(timer);
    expect(peak).toBeGreaterThan(0);
    return peak;
  };
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
