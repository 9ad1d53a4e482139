/** What `--model` takes, for help and errors. `openai-chat` is the older API that compatible servers speak. */
export const MODEL_NAMES =
  "scripted, openai:<model>, openai-chat:<model>, anthropic:<model> or replay:<file>";
