import { ModelError } from "../runtime/loop/model-error.js";

/** Loads a provider's package, or says how to install it. Other errors of loading it are its own. */
export async function loadSdk<Sdk>(name: string, load: () => Promise<Sdk>): Promise<Sdk> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Without the cause: its message names folders of this machine.
    throw new ModelError("not_installed", {
      reason: `the package '${name}' is not installed; run: npm install ${name}`,
    });
  }
}

function isMissing(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND";
}
