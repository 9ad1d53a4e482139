import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import { Session } from "@wink/session";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { isAdapterError } from "../../error/adapter-error.js";
import { AiSdkAdapter } from "../../providers/ai-sdk/ai-sdk-adapter.js";
import { AiSdkModel } from "../../providers/ai-sdk/ai-sdk-model.js";
import { AnthropicAdapter } from "../../providers/anthropic/anthropic-adapter.js";
import { AnthropicModel } from "../../providers/anthropic/anthropic-model.js";
import { OpenAIAdapter } from "../../providers/openai/openai-adapter.js";
import { OpenAIModel } from "../../providers/openai/openai-model.js";
import { ReplayAdapter } from "../../replay/replay-adapter.js";
import { ScriptedAdapter } from "../../scripted/scripted-adapter.js";
import { agent, done, tool } from "../call/agent.test.support.js";
import { ModelAdapter } from "./model-adapter.js";

const client = { name: "own", ask: () => Promise.reject(new Error("not asked")) };
const cassette = { version: 1, model: "x", entries: [] };

describe("a model", () => {
  it.each([
    ["openai", new OpenAIModel({ model: "x" })],
    ["anthropic", new AnthropicModel({ model: "x" })],
  ])("of %s refuses to be asked without a request or a signal (AD-71)", async (name, model) => {
    for (const args of [[], [null, {}], [{}, null], [{}, { signal: 7 }]])
      await expect(Reflect.apply(model.ask, model, args)).rejects.toMatchObject({
        code: "ARGUMENT_INVALID",
        message: `${name}: ask: pass a request and { signal }.`,
      });
  });
});

describe("an adapter", () => {
  it.each([
    {
      make: () => new OpenAIAdapter({ modle: "gpt-5.1" } as never),
      message: "openai: unknown option 'modle'. Did you mean 'model'?",
    },
    {
      make: () => new OpenAIAdapter({ model: "x", api: "completions" } as never),
      message: "openai: option 'api': unknown value 'completions'. Use 'responses' or 'chat'.",
    },
    {
      make: () => new OpenAIAdapter({ model: "x", api: "response" } as never),
      message: "openai: option 'api': unknown value 'response'. Did you mean 'responses'?",
    },
    {
      make: () => new OpenAIAdapter({ model: "x", maxTurn: 3 } as never),
      message: "openai: unknown option 'maxTurn'. Did you mean 'maxTurns'?",
    },
    {
      make: () => new OpenAIAdapter({} as never),
      message: "openai: option 'model' must be the name of a model, got undefined.",
    },
    {
      make: () => new OpenAIAdapter("gpt-5.1" as never),
      message: "openai: options must be an object, got a string.",
    },
    {
      make: () => new (OpenAIAdapter as unknown as new () => unknown)(),
      message: expect.stringMatching(/^openai: options are missing\. Options: maxTurns, .*\.$/),
    },
    {
      make: () => new AnthropicAdapter({ model: "x", apikey: "y" } as never),
      message: "anthropic: unknown option 'apikey'. Did you mean 'apiKey'?",
    },
    {
      make: () => new AiSdkAdapter({ model: {}, temprature: 1 } as never),
      message: "ai-sdk: unknown option 'temprature'. Did you mean 'temperature'?",
    },
    // A model makes one turn, so it would ignore the options of a whole run.
    {
      make: () => new OpenAIModel({ model: "x", retry: {} } as never),
      message: expect.stringMatching(/^openai: unknown option 'retry'\. Options: max/),
    },
    {
      make: () => new OpenAIModel({ model: "x", client: {} } as never),
      message: "openai: option 'client' must be a client of the provider's SDK, with 'chat'.",
    },
    {
      make: () => new AnthropicModel({ model: "x", maxTurns: 3 } as never),
      message: expect.stringMatching(/^anthropic: unknown option 'maxTurns'\./),
    },
    {
      make: () => new AiSdkModel({ model: {}, prices: {} } as never),
      message: expect.stringMatching(/^ai-sdk: unknown option 'prices'\./),
    },
    {
      make: () => new ScriptedAdapter({ turn: [] } as never),
      message: "ScriptedAdapter: unknown option 'turn'. Did you mean 'turns'?",
    },
    {
      make: () => new ReplayAdapter({ casette: cassette } as never),
      message: "ReplayAdapter: unknown option 'casette'. Did you mean 'cassette'?",
    },
    {
      make: () => new ModelAdapter(client, { onEror: () => {} } as never),
      message: "ModelAdapter: unknown option 'onEror'. Did you mean 'onError'?",
    },
  ])("refuses its options with $message (AD-67)", ({ make, message }) => {
    const error = thrownBy(make);
    expect(isAdapterError(error, "ARGUMENT_INVALID") && error.message).toEqual(message);
  });

  const template = new PromptTemplate({
    ns: "tests",
    key: "mistakes",
    sections: [
      new MarkdownSection({
        key: "task",
        title: "Task",
        params: z.object({ file: z.string() }),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a template.
        template: "Read ${file}.",
      }),
    ],
  });
  const bound = new Prompt(template).bind({ task: { file: "a" } });
  it.each([
    {
      args: [template, { session: new Session() }],
      message:
        "evaluate: the prompt must be a bound Prompt, got a PromptTemplate. Pass new Prompt(template).bind(…).",
    },
    {
      args: ["Read a.", { session: new Session() }],
      message:
        "evaluate: the prompt must be a bound Prompt, got a string. Pass new Prompt(template).bind(…), with a PromptTemplate.",
    },
    {
      args: [undefined, { session: new Session() }],
      message:
        "evaluate: the prompt must be a bound Prompt, got undefined. Pass new Prompt(template).bind(…), with a PromptTemplate.",
    },
    {
      args: [bound],
      message:
        "evaluate: options are missing. Options: session, deadline, budget, signal, onEvent, maxTurns, transcript, settings, onApproval, messages, run, onAgentChanged, renewLimits.",
    },
    {
      args: [bound, {}],
      message:
        "evaluate: session must be a Session, got undefined. Pass { session: new Session() }.",
    },
    {
      args: [bound, { session: new Session(), maxturns: 3 }],
      message: "evaluate: unknown option 'maxturns'. Did you mean 'maxTurns'?",
    },
  ])("evaluate rejects with $message (AD-67)", async ({ args, message }) => {
    const adapter = new ModelAdapter(client);
    const [prompt, options] = args as [never, never];
    await expect(adapter.evaluate(prompt, options)).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
      message,
    });
    const { response } = adapter.stream(prompt, options);
    await expect(response).rejects.toMatchObject({ code: "ARGUMENT_INVALID" });
  });

  it("evaluate names the sections whose parameters were not bound (AD-67)", async () => {
    const unbound = new Prompt(template) as never;
    const error = await new ModelAdapter(client)
      .evaluate(unbound, { session: new Session() })
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("'task'");
    expect(error).toMatchObject({ name: "PromptError" });
  });

  it("names the field of an output that does not fit, and how often the model was asked (AD-14)", async () => {
    const output = z.object({ findings: z.array(z.object({ line: z.number() })) });
    const task = new MarkdownSection({ key: "task", title: "Task", template: "Review." });
    const prompt = new Prompt(
      new PromptTemplate({ ns: "tests", key: "review", sections: [task], output }),
    ).bind({});
    const evaluate = (text: unknown, maxOutputRetries?: number) =>
      new ScriptedAdapter({
        turns: () => ({ text: text as string }),
        ...(maxOutputRetries === undefined ? {} : { maxOutputRetries }),
      }).evaluate(prompt, { session: new Session() });
    await expect(evaluate({ findings: [{ line: "12" }] })).rejects.toThrow(
      /^output: field 'findings\[0\]\.line' must be a number, got "12"\. The model was asked 3 times\.$/,
    );
    await expect(evaluate("I am done.", 0)).rejects.toThrow(
      /^output: the answer is not JSON\. The model was asked once\.$/,
    );
  });
});

describe("an exception", () => {
  it("of a handler is printed with its stack and recorded, without keys, and the model does not see it (AD-68)", async () => {
    const printed = printedErrors();
    const key = "sk-abcdefghijklmnop123456";
    const broken = tool("broken", () => {
      throw new TypeError(`no ${key}`, { cause: new Error(`cause with ${key}`) });
    });
    const { call, session } = agent({ tools: [broken] });
    const { text } = await call("broken", {}, { onError: undefined });
    expect(text).toBe("broken failed because of an internal error.");
    expect(printed).toHaveLength(1);
    const [where, error] = printed[0] ?? [];
    expect(where).toBe("tool broken:");
    expect(error).toMatchObject({ name: "TypeError", message: "no [key]" });
    expect((error as Error).stack).toContain("mistakes.test.ts");
    expect((error as Error).cause).toMatchObject({ message: "cause with [key]" });
    expect(JSON.stringify(error)).not.toContain(key);
    expect(session.events.of(EndToolCall)[0]?.payload.errors).toEqual([
      { where: "tool broken", name: "TypeError", message: "no [key]" },
    ]);
  });

  it("that the model reads is recorded and not printed (AD-68)", async () => {
    const printed = printedErrors();
    const look = tool("look", ({ filesystem }) => filesystem.read("../x"), { access: "read" });
    const { call, session } = agent({ tools: [look] });
    expect((await call("look", {}, { onError: undefined })).text).toMatch(
      /^look failed: '..\/x': the path escapes/,
    );
    expect(printed).toEqual([]);
    expect(session.events.of(EndToolCall)[0]?.payload.errors).toMatchObject([
      { where: "tool look", name: "FilesystemError" },
    ]);
  });

  it.each([true, undefined, "yes"])(
    "names the policy that returned %s instead of a decision (AD-68)",
    async (decision) => {
      const policies = [{ name: "careless", check: () => decision as never }];
      const { call, errors, session } = agent({ tools: [tool("set", done)], policies });
      expect(await call("set")).toMatchObject({
        status: "denied",
        text: "The policy 'careless' could not be checked, so the call was not made.",
      });
      const shown = decision === "yes" ? "a string" : String(decision);
      expect(String(errors[0])).toContain("policy 'careless'");
      expect(String(errors[0])).toContain(
        `check() returned ${shown}. Return allow() or deny(reason)`,
      );
      expect(session.events.of(EndToolCall)[0]?.payload.errors).toMatchObject([
        { where: "policy careless" },
      ]);
    },
  );

  it.each([
    {
      answer: "done",
      reason: "the handler returned a string. Return ok(value, message) or fail(message).",
    },
    {
      answer: { count: 1 },
      reason: "the handler returned an object. Return ok(value, message) or fail(message).",
    },
    { answer: ok(new Map(), "x"), reason: "returned a value that cannot be rendered." },
  ])("reports a handler that returned no result: $reason (AD-68)", async ({ answer, reason }) => {
    const { call, errors } = agent({ tools: [tool("set", () => answer)] });
    const { status, text } = await call("set");
    expect(status).toBe("failed");
    expect(text).not.toContain("ok(");
    expect(errors).toMatchObject([{ code: "RESULT_INVALID", message: `tool 'set': ${reason}` }]);
  });

  it("is not reported for a call that was aborted or timed out (AD-68)", async () => {
    const hangs = tool("hangs", () => new Promise(() => {}), { timeoutMs: 1 });
    const { call, errors } = agent({ tools: [hangs] });
    expect((await call("hangs")).status).toBe("timed-out");
    const signal = AbortSignal.abort();
    expect((await call("hangs", {}, { signal })).status).toBe("aborted");
    expect(errors).toEqual([]);
  });
});

it.each(["memory", "host"])(
  "a turn with thirty calls and a signal causes no warning about listeners, on %s (AD-69)",
  async (place) => {
    const warnings: unknown[] = [];
    const warn = (warning: unknown) => warnings.push(warning);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const files =
      place === "memory" ? new InMemoryFilesystem({ files: { "a.txt": "a" } }) : await host();
    const look = tool(
      "look",
      async ({ filesystem }) => ok((await filesystem.read("a.txt")).content, "Read."),
      { access: "read" },
    );
    const set = tool("set", async ({ filesystem }) => {
      await filesystem.write("b.txt", "b", { mode: "overwrite" });
      return done();
    });
    const { prompt, session } = agent({ files, tools: [look, set] });
    const calls = Array.from({ length: 30 }, (_, at) => ({ tool: at % 3 === 0 ? "set" : "look" }));
    const adapter = new ScriptedAdapter({ turns: [{ calls }, { text: "Done." }] });
    const { signal } = new AbortController();
    await adapter.evaluate(prompt, { session, signal });
    const ends = session.events.of(EndToolCall);
    expect(ends.map(({ payload }) => payload.status)).toEqual(calls.map(() => "succeeded"));
    // Node emits a warning in the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  },
);

function thrownBy(make: () => unknown): unknown {
  try {
    make();
    return undefined;
  } catch (error) {
    return error;
  }
}

function printedErrors(): unknown[][] {
  const printed: unknown[][] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((...args) => void printed.push(args));
  onTestFinished(() => spy.mockRestore());
  return printed;
}

async function host(): Promise<HostFilesystem> {
  const root = await mkdtemp(join(tmpdir(), "wink-mistakes-"));
  await writeFile(join(root, "a.txt"), "a");
  const files = await HostFilesystem.open(root);
  onTestFinished(async () => {
    await files.close();
    await rm(root, { recursive: true });
  });
  return files;
}
