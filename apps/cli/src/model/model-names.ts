/**
 * The values of `--model`, for help and errors. `openai-chat` is the older API, which compatible
 * servers support.
 */
export const MODEL_NAMES =
  "scripted, openai:<model>, openai-chat:<model>, anthropic:<model>, ai-sdk:<provider>:<model> or replay:<file>";
