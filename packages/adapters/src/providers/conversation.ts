import type { JsonSchema } from "@wink/prompt";
import type { ModelMessage, ModelRequest } from "../runtime/loop/model-client.js";

/** Said first where nobody has said anything: providers refuse a conversation that is empty. */
const OPENING: ModelMessage = { role: "user", text: "Begin." };

/** The messages of a request as providers take them: not empty, and begun by the user. */
export function conversationOf({ messages }: ModelRequest): readonly ModelMessage[] {
  return messages[0]?.role === "user" ? messages : [OPENING, ...messages];
}

/** How the model learns what its last answer must be. */
export type OutputFormat =
  /** By the provider's own structured output. */
  | "schema"
  /** By the schema in the instructions, for models and servers that have no other way. */
  | "instructions";

/** The instructions, with the schema in them when it must stand there. */
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
