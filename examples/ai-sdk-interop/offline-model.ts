import { MockLanguageModelV3 } from "ai/test";

type Turn = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;

/** A scripted model of the AI SDK, so that the example runs offline. */
export function createOfflineModel(): MockLanguageModelV3 {
  const turns: Turn[] = [
    call("rename_all", { from: "total", to: "sum" }),
    call("read_file", { file_path: "a.ts" }),
    call("edit_file", { file_path: "a.ts", old_string: "total", new_string: "sum" }),
    say("Renamed in a.ts. b.ts is generated: run its generator again."),
  ];
  return new MockLanguageModelV3({ doGenerate: turns });
}

let calls = 0;

function call(toolName: string, input: object): Turn {
  const part = {
    ...{ type: "tool-call" as const, toolCallId: `call-${++calls}` },
    ...{ toolName, input: JSON.stringify(input) },
  };
  return { content: [part], finishReason: { unified: "tool-calls", raw: undefined }, ...NOTHING };
}

function say(text: string): Turn {
  const finishReason = { unified: "stop" as const, raw: undefined };
  return { content: [{ type: "text", text }], finishReason, ...NOTHING };
}

const NOTHING = {
  usage: {
    inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 0, text: 0, reasoning: 0 },
  },
  warnings: [],
};
