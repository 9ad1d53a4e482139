import { fail } from "@wink/prompt";
import { describe, expect, it } from "vitest";
import { ToolCallError } from "../interop/tool-call-error.js";
import { AdapterError, isAdapterError } from "./adapter-error.js";
import { isModelError, ModelError } from "./model-error.js";
import { isRunError, RunError } from "./run-error.js";

const CODES = ["ARGUMENT_INVALID", "TOO_DEEP", "CASSETTE_ENDED", "SOCKET_IN_USE"] as const;

describe("an error of this package", () => {
  it.each(CODES)("of code %s has one form, in which the code does not occur (AD-71)", (code) => {
    const error = new AdapterError(code, { subject: "thing" });
    expect(error).toMatchObject({ name: "AdapterError", code, subject: "thing" });
    expect(error.message).toBe(`thing: ${error.reason}.`);
    expect(error.message).not.toContain(code);
  });

  it("gets no full stop after a difference (AD-71)", () => {
    const reason = "it differs.\n- a\n+ b";
    expect(new AdapterError("REQUEST_CHANGED", { subject: "request 1", reason }).message).toBe(
      `request 1: ${reason}`,
    );
  });

  it.each([undefined, null])("can be created with %j as options (AD-71)", (value) => {
    expect(new AdapterError("TOO_DEEP", value as never).message).toMatch(/^adapter: /);
    expect(new ModelError("NETWORK", value as never).message).toMatch(/^model: /);
    expect(new RunError("UNFINISHED", value as never).message).toMatch(/^run: /);
    expect(new ToolCallError(value as never).message).toBe("the call failed");
  });

  it("does not get a second full stop (AD-71)", () => {
    const error = new AdapterError("ARGUMENT_INVALID", { subject: "x", reason: "Did you mean y?" });
    expect(error.message).toBe("x: Did you mean y?");
  });

  it("is recognised by its code, and by the code of its kind (AD-71)", () => {
    const model = new ModelError("OVERLOADED");
    const run = new RunError("UNFINISHED", { finishReason: "budget", text: "" });
    expect([isAdapterError(model), isAdapterError(model, "OVERLOADED")]).toEqual([true, true]);
    expect([isModelError(model, "NETWORK"), isModelError(run), isRunError(run)]).toEqual([
      ...[false, false, true],
    ]);
    expect(run.message).toBe("run: the run ended before the model was done (budget).");
    expect(model).toMatchObject({ message: "model: the provider is overloaded.", retried: true });
    expect(isAdapterError(new Error("x"))).toBe(false);
  });

  it("of a tool call has the text that the model reads as its message (AD-71)", () => {
    const text = "tidy failed: 'b.txt': no such file or directory.";
    const error = new ToolCallError({
      ...{ toolCallId: "1", toolName: "tidy", status: "failed", rolledBack: true, text },
      result: fail(text),
    });
    expect(error).toMatchObject({ message: text, subject: "tool 'tidy'", reason: text });
    expect(isAdapterError(error, "TOOL_CALL_FAILED")).toBe(true);
  });
});
