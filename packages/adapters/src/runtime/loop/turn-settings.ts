import type { ModelSettings } from "@wink/prompt";
import type { ModelRequest } from "./model-client.js";

/** The settings of a request. A choice of tools counts only for the first turn of the run. */
export function turnSettings(
  settings: ModelSettings | undefined,
  turn: number,
): Pick<ModelRequest, "settings"> {
  if (settings === undefined) return {};
  if (turn === 0) return { settings };
  const { toolChoice: _, ...others } = settings;
  return { settings: others };
}
