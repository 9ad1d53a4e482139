import type { Attributes } from "@opentelemetry/api";
import { conversationOf } from "../providers/conversation.js";
import type { ModelMessage, ModelRequest, ModelTurn } from "../runtime/loop/model-client.js";

/**
 * Whether texts are written to spans. A function receives each text with the name of its
 * attribute. It returns the text to write, or `undefined` to omit it.
 */
export type CaptureContent = boolean | ((content: string, attribute: string) => string | undefined);

/** Filters the attributes with `capture`. */
export function contentOf(capture: CaptureContent, content: () => Attributes): Attributes {
  if (capture === false) return {};
  if (capture === true) return content();
  const shown: Attributes = {};
  for (const [name, value] of Object.entries(content())) {
    try {
      const text = capture(String(value), name);
      if (text !== undefined) shown[name] = text;
    } catch {
      // The filter threw, so the text stays out of the span and the run continues.
    }
  }
  return shown;
}

/** In the format of the OpenTelemetry conventions: messages with roles and typed parts. */
export function requestContent(request: ModelRequest): Attributes {
  const instructions = [{ type: "text", content: request.instructions }];
  return {
    "gen_ai.system_instructions": JSON.stringify(instructions),
    "gen_ai.input.messages": JSON.stringify(conversationOf(request).map(toMessage)),
  };
}

export function turnContent({ text, toolCalls }: ModelTurn, finishReason: string): Attributes {
  const message = toMessage({ role: "assistant", text, toolCalls });
  const output = { ...message, finish_reason: finishReason };
  return { "gen_ai.output.messages": JSON.stringify([output]) };
}

function toMessage(message: ModelMessage) {
  if (message.role === "tool") {
    const { toolCallId: id, text: response } = message;
    return { role: "tool", parts: [{ type: "tool_call_response", id, response }] };
  }
  const texts = message.text === "" ? [] : [{ type: "text", content: message.text }];
  if (message.role === "user") return { role: "user", parts: texts };
  const calls = message.toolCalls.map(({ toolCallId, toolName, arguments: given }) => {
    return { type: "tool_call", id: toolCallId, name: toolName, arguments: given };
  });
  return { role: "assistant", parts: [...texts, ...calls] };
}
