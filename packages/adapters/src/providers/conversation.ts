import type { JsonSchema } from "@wink/prompt";
import type { ModelMessage, ModelRequest } from "../runtime/loop/model-client.js";

/** The first message of an empty conversation, which providers would refuse. */
const OPENING: ModelMessage = { role: "user", text: "Begin." };

/** The messages of a request as providers accept them: not empty, and starting with the user. */
export function conversationOf({ messages }: ModelRequest): readonly ModelMessage[] {
  return messages[0]?.role === "user" ? messages : [OPENING, ...messages];
}

/** How the model receives the schema of its final answer. */
export type OutputFormat =
  /** With the provider's structured output. */
  | "schema"
  /** With the schema in the instructions, for models and servers without structured output. */
  | "instructions";

/** The instructions, with the output schema if the format requires it. */
export function instructionsOf(
  { instructions, outputSchema }: ModelRequest,
  format: OutputFormat,
): string {
  if (outputSchema === null || format === "schema") return instructions;
  return `${instructions}\n\n${describeOutput(outputSchema)}`;
}

function describeOutput(schema: JsonSchema): string {
  const json = JSON.stringify(schema);
  return `When you are done, answer with one JSON value that fits this JSON Schema, and with nothing else:\n${json}`;
}
