import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ModelError } from "../error/model-error.js";
import { ReplayAdapter } from "../replay/replay-adapter.js";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import type { ModelClient } from "../runtime/loop/model-client.js";
import { exportCassette, readCassette } from "./recorded-cassette.js";
import { Run } from "./run.js";

const say = defineTool({
  ...{ name: "say", description: "Say it.", input: z.object({ text: z.string() }), access: "read" },
  handler: ({ text }) => ok(text, `Heard ${text}`),
});

function createPrompt(template = "Do it.") {
  const task = new MarkdownSection({ key: "task", title: "Task", template, tools: [say] });
  return new Prompt(new PromptTemplate({ ns: "tests", key: "cassette", sections: [task] })).bind(
    {},
  );
}

/** Says something new in each turn. The second request fails once. */
function talker(turns: number): ModelClient {
  let asked = 0;
  return {
    name: "talker",
    async ask({ messages }, { onText }) {
      if (++asked === 2) throw new ModelError("OVERLOADED");
      const turn = messages.length / 2;
      const args = { text: `${turn} ${"x".repeat(4_000)}` };
      const call = { toolCallId: `c${turn}`, toolName: "say", arguments: JSON.stringify(args) };
      onText("Well");
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { text: "Well", toolCalls: turn < turns ? [call] : [], usage, stopReason: "end" };
    },
  };
}

it("a cassette is derived from the transcript of a run, in linear size, and replays it (RUN-14, I-B6)", async () => {
  const base = mkdtempSync(join(tmpdir(), "wink-cassette-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const directory = join(base, "run");
  const run = await Run.open(directory, { filesystem: new InMemoryFilesystem() });
  const options = { maxTurns: 100, retry: { baseDelayMs: 0 } };
  const { session } = run;
  await new ModelAdapter(talker(40), options).evaluate(createPrompt(), { session });
  await run.close();

  const file = join(base, "cassette.jsonl");
  writeFileSync(file, await exportCassette(directory));
  // Each request repeats the conversation, so a list of the requests is much larger.
  const requests = JSON.stringify(await readCassette(file));
  expect(statSync(file).size * 10).toBeLessThan(requests.length);
  for (const source of [directory, file]) {
    const cassette = await readCassette(source);
    expect(cassette.entries).toHaveLength(42);
    const replay = new ReplayAdapter({ cassette, ...options });
    const response = await replay.evaluate(createPrompt(), { session: new Session() });
    expect(response).toMatchObject({ text: "Well", usage: { turns: 41 } });
    const changed = new ReplayAdapter({ cassette, ...options });
    await expect(
      changed.evaluate(createPrompt("Do that."), { session: new Session() }),
    ).rejects.toMatchObject({ code: "REQUEST_CHANGED" });
  }
});

it("a cassette of commit 44ebf7e is still read (RUN-1, RUN-14)", async () => {
  const path = new URL("../../../../specs/fixtures/44ebf7e/cassette.json", import.meta.url);
  expect((await readCassette(fileURLToPath(path))).entries).toHaveLength(4);
});
