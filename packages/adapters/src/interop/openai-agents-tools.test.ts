import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  Usage,
} from "@openai/agents";
import { describe, expect, it, vi } from "vitest";
import { editor, PIXEL } from "../mcp/editor.test.support.js";
import { toOpenAIAgentsTools } from "./openai-agents-tools.js";

interface Wanted {
  readonly tool: string;
  readonly input?: string;
}

describe("an OpenAI agent with a prompt's tools", () => {
  it("are strict where the provider can enforce the schema (AD-51)", async () => {
    const { prompt, session } = editor();
    const tools = await toOpenAIAgentsTools(prompt, session);
    const strict = Object.fromEntries(tools.map((tool) => [tool.name, tool.strict]));
    expect(strict).toMatchObject({ add_line: true, look: false });
  });

  it("commits successful calls, rolls back failed ones, and reports both to the model (AD-51)", async () => {
    const { content, events, model, finalOutput } = await runAgent(
      [{ tool: "add_line", input: '{"text":"one"}' }],
      [{ tool: "break_file" }],
      [
        { tool: "add_line", input: '{"text":"two"}' },
        { tool: "add_line", input: '{"text":' },
        { tool: "add_line", input: '{"txt":"three"}' },
        { tool: "add_line", input: '{"text":"four"}' },
      ],
    );
    expect(finalOutput).toBe("Done.");
    expect((await content()).trim().split("\n").sort()).toEqual(["four", "one", "two"]);
    expect((await content()).trim().split("\n")).toEqual(events());
    expect(model.answers(1)).toEqual([text('There are 1 lines.\n\n{"lines":1}')]);
    expect(model.answers(2)).toEqual([
      text(expect.stringMatching(/It did not work\.[\s\S]*undone: changes to 'a\.txt'/)),
    ]);
    expect(model.answers(3)).toEqual([
      text(expect.stringContaining("lines.")),
      text(expect.stringContaining("valid JSON")),
      text(expect.stringContaining("Its fields are: text.")),
      text(expect.stringContaining("lines.")),
    ]);
  });

  it("receives the tools of an opened section, and images (AD-51)", async () => {
    const { model } = await runAgent(
      [{ tool: "open_sections", input: '{"section_keys":["extra"]}' }],
      [{ tool: "extra_tool" }, { tool: "draw" }],
    );
    const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(offered[0]).not.toContain("extra_tool");
    expect(offered[1]).toContain("extra_tool");
    expect(model.answers(2)).toEqual([
      text("Extra."),
      [
        { type: "input_text", text: "A pixel." },
        { type: "input_image", image: `data:image/png;base64,${PIXEL}` },
      ],
    ]);
  });

  it("has its running call rolled back when the run is aborted (AD-51)", async () => {
    const { prompt, session, content, events } = editor();
    const tools = await toOpenAIAgentsTools(prompt, session);
    const agent = new Agent({
      name: "test",
      tools,
      model: new ScriptedModel([[{ tool: "hang" }]]),
    });
    const controller = new AbortController();
    const running = runner().run(agent, "Go.", { signal: controller.signal });
    const ended = expect(running).rejects.toThrow();
    await vi.waitFor(() => expect(events()).toEqual(["half"]), { timeout: 60_000 });
    controller.abort();
    await ended;
    await vi.waitFor(() => expect(events()).toEqual([]), { timeout: 60_000 });
    expect(await content()).toBe("");
  });
});

async function runAgent(...turns: readonly (readonly Wanted[])[]) {
  const { prompt, session, content, events } = editor();
  const model = new ScriptedModel(turns);
  const tools = await toOpenAIAgentsTools(prompt, session);
  const { finalOutput } = await runner().run(new Agent({ name: "test", tools, model }), "Go.");
  return { content, events, model, finalOutput };
}

function runner(): Runner {
  return new Runner({ tracingDisabled: true });
}

/** A model that makes these calls turn by turn and then finishes. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #turns: readonly (readonly Wanted[])[];
  #calls = 0;

  constructor(turns: readonly (readonly Wanted[])[]) {
    this.#turns = turns;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    // Copied, because the runner changes the request later.
    const turn = this.requests.push({ ...request, tools: [...request.tools] }) - 1;
    const output = this.#turns[turn]?.map(({ tool, input = "{}" }) => ({
      type: "function_call" as const,
      callId: `call-${++this.#calls}`,
      name: tool,
      arguments: input,
      status: "completed" as const,
    })) ?? [
      {
        type: "message" as const,
        role: "assistant" as const,
        status: "completed" as const,
        content: [{ type: "output_text" as const, text: "Done." }],
      },
    ];
    return { usage: new Usage(), output };
  }

  // Nothing here streams.
  // biome-ignore lint/correctness/useYield: it is never read.
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error("not streamed");
  }

  /** The tool results that the model received for the calls of the previous turn. */
  answers(turn: number): unknown[] {
    const { input } = this.requests[turn] ?? { input: [] };
    const items: readonly AgentInputItem[] = typeof input === "string" ? [] : input;
    const results = items.flatMap((item) => (item.type === "function_call_result" ? [item] : []));
    return results.slice(-(this.#turns[turn - 1]?.length ?? 0)).map(({ output }) => output);
  }
}

function text(value: unknown) {
  return { type: "text", text: value };
}
