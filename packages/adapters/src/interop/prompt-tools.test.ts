import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PromptTools } from "./prompt-tools.js";

describe("PromptTools", () => {
  it("rejects model requests of handlers with a hint to pass an adapter (AD-50)", async () => {
    const ask = defineTool({
      name: "ask",
      description: "Ask a model.",
      input: z.object({}),
      access: "read",
      handler: async (_, { adapter, prompt, session }) =>
        ok(await adapter.evaluate(prompt, { session }), "Asked."),
    });
    const errors: unknown[] = [];
    const tools = await PromptTools.open(promptWith({ tools: [ask] }), new Session(), {
      onError: (error) => errors.push(error),
    });
    const outcome = await tools.call(
      { toolCallId: "1", toolName: "ask", arguments: {} },
      undefined,
    );
    expect(outcome.status).toBe("failed");
    expect(String(errors[0])).toContain("Pass the `adapter` option");
  });

  it("uses the last rendering when the prompt cannot be rendered, even if listeners throw (AD-50)", async () => {
    const look = defineTool({
      name: "look",
      description: "Look.",
      input: z.object({}),
      access: "read",
      handler: () => ok(undefined, "Looked."),
    });
    let broken = false;
    const enabled = () => {
      if (broken) throw new Error("oops");
      return true;
    };
    const errors: unknown[] = [];
    const tools = await PromptTools.open(promptWith({ tools: [look], enabled }), new Session(), {
      onError: (error) => {
        errors.push(error);
        throw new Error("listener");
      },
    });
    broken = true;
    const outcome = await tools.call(
      { toolCallId: "1", toolName: "look", arguments: {} },
      undefined,
    );
    expect(outcome.text).toBe("Looked.");
    expect(errors).toHaveLength(1);
  });
});

function promptWith(options: Partial<ConstructorParameters<typeof MarkdownSection>[0]>) {
  const section = new MarkdownSection({ key: "s", title: "S", template: "S.", ...options });
  const template = new PromptTemplate({ ns: "tests", key: "tools", sections: [section] });
  return new Prompt(template).bind({});
}
