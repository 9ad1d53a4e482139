import { InMemoryFilesystem } from "@wink/filesystem";
import {
  Budget,
  defineTool,
  fail,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  requireApproval,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { DisturbedServer, type Script } from "../aimock.test.support.js";
import { claudeAgent, inHarness } from "./harness.test.support.js";

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem({ files: { "a.txt": "before" } });
}

function agent(options: { readonly denies?: boolean } = {}) {
  const change = defineTool({
    name: "change",
    description: "Changes a.txt.",
    input: z.object({ text: z.string(), fails: z.boolean().default(false) }),
    access: "write",
    async handler({ text, fails }, { filesystem }) {
      await filesystem.write("a.txt", text);
      return fails ? fail("It broke.") : ok(undefined, "Changed.");
    },
  });
  const files = new Files({
    ...{ key: "files", title: "Files", template: "Change the file.", tools: [change] },
    ...(options.denies && { policies: [requireApproval(() => true)] }),
  });
  const template = new PromptTemplate({ ns: "tests", key: "harness", sections: [files] });
  const session = new Session();
  return {
    session,
    prompt: new Prompt(template).bind({}),
    content: async () => (await files.filesystem.read("a.txt")).content,
  };
}

/** One call after another, then the text. Remembers what the model reads. */
function calls(inputs: readonly object[], read: string[]): Script {
  return inHarness(({ messages }) => {
    const results = messages.filter(({ role }) => role === "tool");
    read.splice(0, read.length, ...results.map(({ content }) => JSON.stringify(content)));
    const input = inputs[results.length];
    if (input === undefined) return { content: "Done." };
    const id = `toolu_${results.length}`;
    return { toolCalls: [{ id, name: "change", arguments: JSON.stringify(input) }] };
  });
}

let server: DisturbedServer;
afterEach(() => server.stop());

describe("ClaudeAgentAdapter", () => {
  it("rolls back a failed call, and the model reads what was undone (AD-148)", async () => {
    const read: string[] = [];
    server = await DisturbedServer.start(
      calls([{ text: "x", fails: true }, { text: "after" }], read),
    );
    const { prompt, session, content } = agent();
    const { text, usage } = await (await claudeAgent(server.url)).evaluate(prompt, { session });
    expect(text).toBe("Done.");
    expect(usage).toMatchObject({ turns: 3, toolCalls: 2 });
    expect(read[0]).toContain("It broke.");
    expect(read[0]).toContain("undone: changes to 'a.txt'");
    expect(read[1]).toContain("Changed.");
    expect(await content()).toBe("after");
    const types = session.events.map(({ type }) => type);
    expect(types.filter((type) => type === "run.end-tool-call")).toHaveLength(2);
  });

  it("asks the policies before a call runs (AD-148)", async () => {
    const read: string[] = [];
    server = await DisturbedServer.start(calls([{ text: "x" }], read));
    const { prompt, session, content } = agent({ denies: true });
    await (await claudeAgent(server.url)).evaluate(prompt, { session });
    expect(await content()).toBe("before");
    expect(read).toHaveLength(1);
  });

  it("ends at the budget and at the maximum number of turns, with the process (AD-148)", async () => {
    server = await DisturbedServer.start(calls(Array(9).fill({ text: "x" }), []));
    const adapter = await claudeAgent(server.url);
    const first = agent();
    const budget = new Budget({ toolCalls: 1 });
    const limited = await adapter.evaluate(first.prompt, { session: first.session, budget });
    expect(limited.finishReason).not.toBe("completed");
    const second = agent();
    const ended = await adapter.evaluate(second.prompt, { session: second.session, maxTurns: 2 });
    expect(ended.usage.turns).toBe(2);
  });

  it("offers only the tools of the prompt (AD-148)", async () => {
    server = await DisturbedServer.start(calls([], []));
    const { prompt, session } = agent();
    await (await claudeAgent(server.url)).evaluate(prompt, { session });
    const body = server.requests[0]?.body;
    // The request that the API defines.
    const tools = (body?.["tools"] ?? []) as readonly { readonly name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(["mcp__wink__change"]);
    expect(JSON.stringify(body?.["system"])).toContain("Change the file.");
  });
});
