import type { ProviderAdapter } from "@wink/prompt";
import { ModelError } from "../error/model-error.js";

/** The adapter for handlers when another framework owns the model. It rejects every request. */
export const noModel: ProviderAdapter = Object.freeze({
  name: "none",
  evaluate: () => Promise.reject(refusal()),
  stream: () => {
    throw refusal();
  },
});

function refusal(): ModelError {
  return new ModelError("INVALID_REQUEST", {
    reason: "the tools run in another framework and have no model. Pass the `adapter` option",
  });
}
