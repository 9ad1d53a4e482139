import type { ToolOutcome } from "../call/tool-outcome.js";
import type { ModelMessage } from "./model-client.js";

const NO_IMAGES = "This model cannot see images, so the image is not shown.";

/** What the model reads about a call. */
export function toolMessage(
  { toolCallId, toolName, text, result }: ToolOutcome,
  acceptsImages: boolean,
): ModelMessage & { readonly role: "tool" } {
  const { success } = result;
  const message = { role: "tool", toolCallId, toolName, text, success } as const;
  const images = result.success ? result.images : undefined;
  if (images === undefined) return message;
  return acceptsImages ? { ...message, images } : { ...message, text: `${text}\n${NO_IMAGES}` };
}
