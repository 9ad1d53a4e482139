import type { ToolOutcome } from "../call/tool-outcome.js";
import type { ModelMessage } from "./model-client.js";

const NO_IMAGES = "This model cannot see images, so the image is not shown.";

type ToolMessage = ModelMessage & { readonly role: "tool" };

/** The answer to a call, as the transcript has it. */
export function toolMessage({ toolCallId, toolName, text, result }: ToolOutcome): ToolMessage {
  const { success } = result;
  // Providers refuse half characters, which a tool may cut out of a longer text.
  const shown = text.toWellFormed();
  const message = { role: "tool", toolCallId, toolName, text: shown, success } as const;
  const images = result.success ? result.images : undefined;
  return images === undefined ? message : { ...message, images };
}

/** The message as this model reads it. */
export function shownMessage(message: ModelMessage, acceptsImages: boolean): ModelMessage {
  if (acceptsImages || message.role === "assistant" || message.images === undefined) return message;
  const { images: _, ...rest } = message;
  return { ...rest, text: `${message.text}\n${NO_IMAGES}` };
}
