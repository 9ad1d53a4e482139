import type { ToolImage } from "./tool-result.js";

/** A message of the user. */
export interface UserMessage {
  readonly role?: "user" | undefined;
  readonly text: string;
  /** @default none */
  readonly images?: readonly ToolImage[] | undefined;
  /** Files of the workspace whose content the model reads with the message: text, or images. @default none */
  readonly files?: readonly string[] | undefined;
}

/** A message of an earlier evaluation. Pass it back as it is: providers need its other fields too. */
export interface HistoryMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

/** A message before the model's first turn. A text is a message of the user. */
export type ConversationMessage = string | UserMessage | HistoryMessage;
