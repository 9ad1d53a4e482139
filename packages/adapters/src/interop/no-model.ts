import type { ProviderAdapter } from "@wink/prompt";
import { ModelError } from "../runtime/loop/model-error.js";

/** Stands where a handler expects an adapter, while the model belongs to another framework. */
export const noModel: ProviderAdapter = Object.freeze({
  name: "none",
  evaluate: () => Promise.reject(refusal()),
  stream: () => {
    throw refusal();
  },
});

function refusal(): ModelError {
  return new ModelError("invalid_request", {
    reason: "the tools were lent to another framework without a model; give an `adapter`",
  });
}
