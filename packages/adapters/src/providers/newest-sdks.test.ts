import { describe, expect, it, vi } from "vitest";

// The tests below run again with the newest SDKs that the peer ranges allow. All other tests use the oldest.
vi.mock("openai", () => import("openai-7"));
vi.mock("openai/streaming", () => import("openai-7/streaming"));
vi.mock("@anthropic-ai/sdk", () => import("anthropic-sdk-newest"));
vi.mock("@anthropic-ai/sdk/streaming", () => import("anthropic-sdk-newest/streaming"));
vi.mock("@ai-sdk/openai", () => import("@ai-sdk/openai-4"));
vi.mock("@ai-sdk/anthropic", () => import("@ai-sdk/anthropic-4"));
vi.mock("ai", () => import("ai-7"));

describe("with the newest SDKs", async () => {
  it("the providers use the newest versions (AD-19)", async () => {
    expect((await import("openai")).OpenAI).toBe((await import("openai-7")).OpenAI);
    const [anthropic, newest] = [import("@anthropic-ai/sdk"), import("anthropic-sdk-newest")];
    expect((await anthropic).Anthropic).toBe((await newest).Anthropic);
    const { createOpenAI } = await import("@ai-sdk/openai");
    expect(createOpenAI({ apiKey: "x" })("gpt-4o").specificationVersion).toBe("v4");
    expect((await import("ai")).generateText).toBe((await import("ai-7")).generateText);
  });

  await import("./same-agent.test.js");
  await import("./turns.test.js");
  await import("../interop/ai-sdk-tools.test.js");
});
