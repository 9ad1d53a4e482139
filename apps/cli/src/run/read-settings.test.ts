import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { openAiSdkModel } from "../model/open-ai-sdk-model.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { agentSource, FILES } from "./agent-file.test.support.js";
import { pricesOf } from "./read-limits.js";
import { readSettings } from "./read-settings.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

it("the options of the command win over the settings of the agent (MD-1)", () => {
  const agent = { temperature: 1, effort: "low" } as const;
  expect(readSettings(agent, {})).toBe(agent);
  expect(
    readSettings(agent, { temperature: 0, maxOutput: 9, providerOptions: '{"openai":{"a":1}}' }),
  ).toEqual({
    ...{ temperature: 0, effort: "low", maxOutputTokens: 9 },
    providerOptions: { openai: { a: 1 } },
  });
  for (const wrong of ["", "[]", "1", '{"openai":1}', "{"])
    expect(() => readSettings(agent, { providerOptions: wrong })).toThrow(
      expect.objectContaining({ exitCode: 2 }),
    );
});

it("a price that is given replaces the published one (MD-3)", () => {
  expect(pricesOf(undefined, "anthropic:claude-haiku-4-5")).toMatchObject({ inputUsd: 1 });
  const own = { inputUsd: 9, outputUsd: 9 };
  expect(pricesOf(own, "anthropic:claude-haiku-4-5")).toBe(own);
  expect(pricesOf(undefined, "openai:unheard-of")).toBe(undefined);
});

it("a package that is missing, or is not a provider, is named (MD-4)", async () => {
  const { directory: cwd } = await makeProject({});
  await expect(openAiSdkModel("nowhere:x", cwd)).rejects.toThrow(
    `The package @ai-sdk/nowhere is not installed in ${cwd}.`,
  );
  await expect(openAiSdkModel("google", cwd)).rejects.toThrow("Unknown model 'ai-sdk:google'.");
});

it("wink run sends its settings through a model of the AI SDK, and shows the cost (MD-1, MD-3, MD-4)", async () => {
  const project = await makeProject(FILES);
  const { directory: cwd, env, write } = project;
  await write("../agent.mjs", agentSource([]));
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  // What a user's own project has: the provider's package, which reads its address from the environment.
  const source = `const model = {
    specificationVersion: "v3", provider: "test.chat", modelId: "m",
    async doStream({ abortSignal, includeRawChunks, ...options }) {
      await fetch(process.env.TEST_URL, { method: "POST", body: JSON.stringify(options) });
      const text = JSON.stringify({ summary: "Done." });
      const usage = { inputTokens: { total: 1_000_000 }, outputTokens: { total: 0 } };
      const finish = { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } };
      const parts = [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: text },
        { type: "text-end", id: "1" }, finish];
      return { stream: ReadableStream.from(parts) };
    },
  };
  export const createTest = () => test;
  export const test = Object.assign(() => model, { languageModel: () => model });`;
  await write("node_modules/@ai-sdk/test/package.json", '{"main":"./index.mjs"}');
  await write("node_modules/@ai-sdk/test/index.mjs", source);
  const settings = ["--temperature", "0.5", "--effort", "high", "--max-output", "77"];
  const model = ["-m", "ai-sdk:test:some:model", "--price", "input=2,output=1"];
  const { exitCode, stderr, stdout } = await runWink(
    ["run", "../agent.mjs", ...model, ...settings, "--service-tier", "flex"],
    { cwd, env: { ...env, TEST_URL: `http://127.0.0.1:${port}` } },
  );
  expect(exitCode, stderr).toBe(0);
  expect(bodies).toMatchObject([
    {
      ...{ temperature: 0.5, maxOutputTokens: 77 },
      providerOptions: { test: { reasoningEffort: "high", serviceTier: "flex" } },
    },
  ]);
  expect(stdout).toContain("$2.0000");
});
