import { MarkdownSection, type ModelSettings, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../runtime/loop/model-client.js";
import { ScriptedAdapter } from "../scripted/scripted-adapter.js";
import { callOptions } from "./ai-sdk/call-options.js";
import { messagesRequest } from "./anthropic/messages-request.js";
import { languageModel, REQUEST } from "./canned-responses.test.support.js";
import { chatRequest } from "./openai/chat-request.js";
import { responsesRequest } from "./openai/responses-request.js";

const look = { name: "look", description: "Look.", inputSchema: { type: "object" } } as const;
const settings: ModelSettings = {
  ...{ temperature: 0, effort: "high", maxOutputTokens: 99, serviceTier: "flex" },
  toolChoice: { tool: "look" },
  providerOptions: {
    anthropic: { top_k: 3 },
    openai: { top_p: 0.5, text: { verbosity: "low" } },
    test: { deep: { other: 1 } },
  },
};
const request: ModelRequest = { ...REQUEST, tools: [look], settings };
const { signal } = new AbortController();

describe("the settings of a run reach", () => {
  // https://platform.claude.com/docs/en/api/messages
  it("the messages API, over the options of the model (MD-1)", () => {
    const body = messagesRequest(request, { model: "x", temperature: 1, effort: "low" });
    expect(body).toMatchObject({
      ...{ temperature: 0, max_tokens: 99, service_tier: "flex", top_k: 3 },
      output_config: { effort: "high" },
      tool_choice: { type: "tool", name: "look" },
      tools: [{ name: "look" }],
    });
  });

  // https://developers.openai.com/api/reference/resources/responses
  it("the responses API (MD-1)", () => {
    const options = { model: "x", temperature: 1, reasoning: { summary: "auto" } } as const;
    expect(responsesRequest(request, options)).toMatchObject({
      ...{ temperature: 0, max_output_tokens: 99, service_tier: "flex", top_p: 0.5 },
      reasoning: { effort: "high", summary: "auto" },
      tool_choice: { type: "function", name: "look" },
      text: { verbosity: "low" },
    });
  });

  it("the chat API and compatible servers (MD-1)", () => {
    const body = { temperature: 0, service_tier: "flex", reasoning_effort: "high", top_p: 0.5 };
    const tool_choice = { type: "function", function: { name: "look" } };
    expect(chatRequest(request, { model: "x" })).toMatchObject({
      ...{ ...body, max_completion_tokens: 99, tool_choice },
    });
    const local = chatRequest(request, { model: "x", baseURL: "http://localhost/v1" });
    expect(local).toMatchObject({ ...body, max_tokens: 99, tool_choice });
  });

  it.each([
    { version: "v3", effort: { providerOptions: { test: { reasoningEffort: "high" } } } },
    { version: "v4", effort: { reasoning: "high" } },
  ])("a model of the AI SDK with specification $version (MD-1)", ({ version, effort }) => {
    const { model } = languageModel([], version);
    const given = { model, providerOptions: { test: { deep: { own: 1 } } } };
    const options = callOptions(request, given, signal);
    expect(options).toMatchObject({
      ...{ temperature: 0, maxOutputTokens: 99, toolChoice: { type: "tool", toolName: "look" } },
      providerOptions: { test: { serviceTier: "flex", deep: { own: 1, other: 1 } } },
    });
    expect(options).toMatchObject(effort);
  });

  it.each(["auto", "none", "required"] as const)("each API with toolChoice %s (MD-1)", (choice) => {
    const chosen = { ...request, settings: { toolChoice: choice } };
    const claude = { auto: { type: "auto" }, none: { type: "none" }, required: { type: "any" } }[
      choice
    ];
    expect(messagesRequest(chosen, { model: "x" }).tool_choice).toEqual(claude);
    expect(responsesRequest(chosen, { model: "x" }).tool_choice).toBe(choice);
    expect(chatRequest(chosen, { model: "x" }).tool_choice).toBe(choice);
    const { model } = languageModel([]);
    expect(callOptions(chosen, { model }, signal).toolChoice).toEqual({ type: choice });
  });
});

it("a choice of tools counts for the first turn, other settings for all (MD-1)", async () => {
  const adapter = new ScriptedAdapter({ turns: [{ calls: [{ tool: "none" }] }, { text: "end" }] });
  const sections = [new MarkdownSection({ key: "task", title: "Task", template: "Do." })];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "settings", sections })).bind(
    {},
  );
  const { toolChoice: _, ...others } = settings;
  await adapter.evaluate(prompt, { session: new Session(), settings });
  expect(adapter.requests.map((each) => each.settings)).toEqual([settings, others]);
});

it.each([
  { wrong: { temprature: 1 }, message: "settings: unknown option 'temprature'" },
  { wrong: { temperature: -1 }, message: "temperature: it must be a number from 0" },
  { wrong: { effort: "hihg" }, message: "Did you mean 'high'?" },
  { wrong: { maxOutputTokens: 0.5 }, message: "maxOutputTokens: it must be a whole number" },
  { wrong: { providerOptions: 5 }, message: "option 'providerOptions' must be an object" },
  { wrong: { providerOptions: { x: "y" } }, message: "by provider, such as { openai:" },
  {
    wrong: { providerOptions: { x: { y: () => 1 } } },
    message: "providerOptions: its fields must be plain data. Remove functions",
  },
  { wrong: { toolChoice: "yes" }, message: "toolChoice: unknown value 'yes'" },
])("evaluate refuses the settings $wrong (MD-1)", async ({ wrong, message }) => {
  const adapter = new ScriptedAdapter({ turns: [] });
  const sections = [new MarkdownSection({ key: "task", title: "Task", template: "Do." })];
  const prompt = new Prompt(new PromptTemplate({ ns: "tests", key: "settings", sections })).bind(
    {},
  );
  const given = { session: new Session(), settings: wrong as ModelSettings };
  await expect(adapter.evaluate(prompt, given)).rejects.toThrow(message);
});
