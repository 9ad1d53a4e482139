import { type EvaluateOptions, MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { ScriptedAdapter, type ScriptedAdapterOptions } from "./scripted-adapter.js";

it("expect checks the model's request, and a failed check ends the run (AD-17)", async () => {
  const adapter = scripted([
    { text: "x", expect: ({ instructions }) => expect(instructions).toContain("Begin.") },
  ]);
  expect((await run(adapter)).text).toBe("x");
  const wrong = scripted([
    { text: "x", expect: ({ instructions }) => expect(instructions).toBe("End.") },
  ]);
  await expect(run(wrong)).rejects.toThrow("to be 'End.'");
});

it("a turn, or the whole script, can be a function (AD-17)", async () => {
  const one = scripted([({ tools }) => ({ text: `${tools.length} tools` })]);
  expect((await run(one)).text).toBe("0 tools");
  const all = scripted((_, index) => (index < 2 ? { calls: [{ tool: "none" }] } : { text: "end" }));
  expect((await run(all)).usage).toMatchObject({ turns: 3, toolCalls: 0 });
});

it("a script that is too short or too long is an error (AD-17)", async () => {
  await expect(run(scripted([]))).rejects.toThrow(
    "ScriptedAdapter: the script has 0 turns and the run asked for one more. Add a turn.",
  );
  const long = scripted([{ text: "end" }, { text: "more" }]);
  await run(long);
  expect(() => long.assertFinished()).toThrow(
    "ScriptedAdapter: the run did not use the last 1 turns of the script.",
  );
});

it("requests keeps each request as it was when the model received it (AD-17)", async () => {
  const adapter = scripted([{ calls: [{ tool: "none", toolCallId: "mine" }] }, { text: "end" }]);
  await run(adapter);
  expect(adapter.requests.map(({ messages }) => messages.length)).toEqual([0, 2]);
  expect(adapter.requests[1]?.messages[0]).toEqual({
    role: "assistant",
    text: "",
    toolCalls: [{ toolCallId: "mine", toolName: "none", arguments: "{}" }],
  });
});

it("calls of a conversation that another process began get new ids (AD-17)", async () => {
  const toolCall = (toolCallId: string) => ({ toolCallId, toolName: "none", arguments: "{}" });
  const earlier = ["call-7", "mine", "call-3"].map(toolCall);
  const messages = [{ role: "assistant", text: "", toolCalls: earlier }] as const;
  const adapter = scripted([{ calls: [{ tool: "none" }] }, { text: "end" }]);
  await run(adapter, messages as never);
  expect(adapter.requests[1]?.messages.at(-2)).toMatchObject({ toolCalls: [toolCall("call-8")] });
});

function scripted(turns: ScriptedAdapterOptions["turns"]): ScriptedAdapter {
  return new ScriptedAdapter({ turns });
}

function run(adapter: ScriptedAdapter, messages?: EvaluateOptions["messages"]) {
  const sections = [new MarkdownSection({ key: "task", title: "Task", template: "Begin." })];
  const template = new PromptTemplate({ ns: "tests", key: "scripted", sections });
  return adapter.evaluate(new Prompt(template).bind({}), { session: new Session(), messages });
}
