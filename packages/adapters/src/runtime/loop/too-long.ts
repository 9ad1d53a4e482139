import { ModelError } from "../../error/model-error.js";
import { estimateTokens, tokensOfText, tokensOfTools } from "./count-tokens.js";
import type { ModelRequest } from "./model-client.js";

/** The provider refused a request that cannot be shortened. Says which part of it is how long. */
export function tooLong(request: ModelRequest, cause: ModelError): ModelError {
  const parts = {
    instructions: tokensOfText(request.instructions),
    "definitions of tools": tokensOfTools(request.tools),
    messages: estimateTokens({ ...request, instructions: "", tools: [] }),
  };
  const shown = Object.entries(parts).map(([name, tokens]) => `${name} ${Math.ceil(tokens)}`);
  const reason = `the request is longer than the model can read, and it cannot be shortened. Estimated tokens: ${shown.join(", ")}. Offer fewer tools, shorten the prompt or the message, or use a model with a larger window`;
  return new ModelError("CONTEXT_LENGTH", { reason, cause });
}
