import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostFilesystem } from "@wink/filesystem/host";
import { Budget, type ProviderAdapter } from "@wink/prompt";
import { expect, it, onTestFinished, vi } from "vitest";
import { noModel } from "../../interop/no-model.js";
import { agent, done, never, tool } from "../call/agent.test.support.js";
import { type EvaluateOnForkOptions, evaluateOnFork } from "./evaluate-on-fork.js";
import { worker, writing } from "./subagent.test.support.js";

const PATIENCE = { timeout: 30_000 };

it.each([
  ["is done", { adapter: writing({ "a.txt": "a" }) }],
  ["fails", { adapter: noModel }],
  ["ignores its abort", { adapter: deaf() }],
  ["has no prompt", { prompt: () => Promise.reject(new Error("none")) }],
] as const)(
  "the fork of a subagent that %s is deleted from the host, and its budget is released (AD-33)",
  async (_, options: Partial<EvaluateOnForkOptions>) => {
    const directory = mkdtempSync(join(tmpdir(), "wink-fork-test-"));
    const files = await HostFilesystem.open(directory);
    onTestFinished(async () => {
      await files.close();
      rmSync(directory, { recursive: true });
    });
    const places: string[] = [];
    const delegate = tool("delegate", async (context) => {
      await evaluateOnFork(context, {
        adapter: noModel,
        ...options,
        prompt: async (filesystem, session) => {
          places.push((await filesystem.snapshot()).rootPath);
          return await (options.prompt?.(filesystem, session) ?? worker(filesystem));
        },
      });
      return done();
    });
    const budget = new Budget({ tokens: 100 });
    const controller = new AbortController();
    stop = () => controller.abort();
    const { call } = agent({ files, tools: [delegate] });
    await call("delegate", {}, { budget, signal: controller.signal });
    expect(places).toHaveLength(1);
    await vi.waitFor(
      () => expect(places.map((place) => existsSync(place))).toEqual([false]),
      PATIENCE,
    );
    await vi.waitFor(() => expect(budget.remaining().tokens).toBe(100), PATIENCE);
  },
);

let stop = () => {};

/** Aborts when it is asked, and never settles. */
function deaf(): ProviderAdapter {
  const evaluate = () => {
    stop();
    return never();
  };
  return { ...noModel, name: "deaf", evaluate };
}
