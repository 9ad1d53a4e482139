import { PromptError } from "../error/prompt-error.js";

/** The `park` of a context whose run is not durable. */
export async function cannotPark(): Promise<never> {
  const reason = "the run is not durable. Use Run of @wink/adapters/run";
  throw new PromptError("NOT_DURABLE", "park", reason);
}
