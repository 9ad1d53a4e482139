import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate, never } from "../runtime/call/agent.test.support.js";
import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";
import { AgentLoopGroup, type AgentLoopGroupOptions } from "./agent-loop-group.js";

const PATIENCE = { timeout: 30_000 };

function start<Bodies extends object>(options: AgentLoopGroupOptions<Bodies>) {
  const group = new AgentLoopGroup<Bodies>({
    watchdog: false,
    signals: [],
    health: { port: 0 },
    ...options,
  });
  const running = group.run();
  onTestFinished(async () => {
    await group.close({ graceMs: 0 });
    await running;
  });
  const get = async (path: string) => {
    const response = await fetch(`${group.healthUrl}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return { group, running, get };
}

describe("a group of loops", () => {
  it("processes two queues, and answers live, ready and metrics (AD-116)", async () => {
    const [left, right] = [new InMemoryRequestQueue<string>(), new InMemoryRequestQueue<string>()];
    const work = gate();
    const seen: string[] = [];
    const { group, get } = start({
      loops: {
        left: { queue: left, handler: async ({ body }) => void seen.push(body) },
        right: { queue: right, handler: () => work.promise },
      },
    });
    await left.add({ body: "a" });
    await right.add({ requestId: "slow", body: "b" });
    await vi.waitFor(() => {
      expect(seen).toEqual(["a"]);
      expect(group.status()["right"]?.running).toMatchObject([{ requestId: "slow", attempt: 1 }]);
    }, PATIENCE);
    expect((await get("/live")).status).toBe(200);
    expect((await get("/ready")).status).toBe(200);
    expect((await get("/other")).status).toBe(404);
    await vi.waitFor(async () => {
      const { text } = await get("/metrics");
      expect(text).toContain('wink_requests_total{loop="left",event="finished"} 1');
      expect(text).toContain('wink_requests_running{loop="right"} 1');
      expect(text).toContain('wink_queue_requests{loop="right",state="leased"} 1');
    }, PATIENCE);
    work.open();
  });

  it("is not ready while a queue cannot be reached, and while it closes (AD-116)", async () => {
    const queue = new InMemoryRequestQueue<string>();
    const broken = vi.spyOn(queue, "take").mockRejectedValue(new Error("away"));
    const work = gate();
    const { group, get, running } = start({
      loops: { main: { queue, handler: () => work.promise, waitMs: 10, onError: () => {} } },
    });
    await vi.waitFor(async () => expect((await get("/ready")).status).toBe(503), PATIENCE);
    expect((await get("/live")).status).toBe(200);
    broken.mockRestore();
    await vi.waitFor(async () => expect((await get("/ready")).status).toBe(200), PATIENCE);
    await queue.add({ body: "a" });
    await vi.waitFor(() => expect(group.status()["main"]?.running).toHaveLength(1), PATIENCE);
    void group.close();
    await vi.waitFor(async () => expect((await get("/ready")).status).toBe(503), PATIENCE);
    work.open();
    await running;
    expect(await queue.counts()).toMatchObject({ waiting: 0, leased: 0 });
  });

  it("is not ready while a queue does not answer, and still serves its counters (AD-116)", async () => {
    const queue = new InMemoryRequestQueue<string>();
    await queue.add({ body: "a" });
    const { get } = start({ loops: { main: { queue, handler: async () => {}, waitMs: 10 } } });
    const metrics = async () => (await get("/metrics")).text;
    const finished = 'wink_requests_total{loop="main",event="finished"} 1';
    await vi.waitFor(async () => expect(await metrics()).toContain(finished), PATIENCE);
    expect(await metrics()).toContain('wink_queue_requests{loop="main",state="waiting"} 0');
    vi.spyOn(queue, "take").mockImplementation(never);
    vi.spyOn(queue, "counts").mockImplementation(never);
    await vi.waitFor(async () => expect((await get("/ready")).status).toBe(503), PATIENCE);
    expect(await metrics()).toContain(finished);
  });

  it("tells handlers that it closes, and returns what they stop without counting it (AD-38, AD-117)", async () => {
    const queue = new InMemoryRequestQueue<string>();
    const turns: string[] = [];
    const { group, running } = start({
      loops: {
        main: {
          queue,
          handler: async (_, { closing }) => {
            turns.push("begins");
            await new Promise((resolve) => closing.addEventListener("abort", resolve));
            turns.push("is finished");
            throw closing.reason;
          },
        },
      },
    });
    await queue.add({ requestId: "r", body: "a" });
    await vi.waitFor(() => expect(turns).toEqual(["begins"]), PATIENCE);
    await group.close();
    await running;
    expect(turns).toEqual(["begins", "is finished"]);
    expect(await queue.take(1)).toMatchObject({ requestId: "r", attempt: 1 });
  });

  it("ends within its limits when handlers and queues do not answer (AD-117)", async () => {
    const queue = new InMemoryRequestQueue<string>();
    await queue.add({ body: "a" });
    vi.spyOn(queue, "end").mockImplementation(never);
    const { group, running } = start({ limitMs: 10, loops: { main: { queue, handler: never } } });
    await vi.waitFor(() => expect(group.status()["main"]?.running).toHaveLength(1), PATIENCE);
    void group.close({ graceMs: 1_000_000 });
    await group.close({ graceMs: 0 });
    await running;
  });

  it("postpones a request whose work cannot start now (AD-117)", async () => {
    const queue = new InMemoryRequestQueue<string>();
    const { group } = start({
      loops: { main: { queue, handler: async (_, { postpone }) => postpone(1_000_000) } },
    });
    await queue.add({ body: "a" });
    await vi.waitFor(async () => {
      expect(await queue.counts()).toEqual({ waiting: 0, delayed: 1, leased: 0, dead: 0 });
    }, PATIENCE);
    expect(await queue.list()).toMatchObject([{ attempt: 0 }]);
    await group.close();
  });

  it("refuses to be empty (AD-116)", () => {
    expect(() => new AgentLoopGroup({ loops: {} })).toThrow("loops: pass at least one loop");
  });
});

describe("the watchdog", () => {
  it("reports a request that runs for too long, once (AD-118)", async () => {
    const queue = new InMemoryRequestQueue<string>();
    await queue.add({ requestId: "slow", body: "a" });
    const reports: string[] = [];
    const work = gate();
    start({
      loops: { main: { queue, handler: () => work.promise } },
      watchdog: { stuckMs: 20, blockedMs: 60_000, onStuck: (report) => reports.push(report) },
    });
    await vi.waitFor(() => expect(reports).toHaveLength(1), PATIENCE);
    expect(reports[0]).toContain("worker: request 'slow' of loop 'main' runs for");
    work.open();
  });

  it("prints the stack of a process that is blocked (AD-118)", async () => {
    const program = fileURLToPath(new URL("./stuck.test-program.mjs", import.meta.url));
    const blocked = spawn(process.execPath, [program], {
      env: { ...process.env, NODE_OPTIONS: "" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void blocked.kill("SIGKILL"));
    let report = "";
    for await (const text of blocked.stderr) {
      report += text;
      if (report.endsWith("\n")) break;
    }
    expect(report).toContain("worker: the process has been blocked for");
    expect(report).toMatch(/at blockTheThread \(file:.*stuck\.test-program\.mjs:10\)/);
  });
});
