import { ModelError } from "../error/model-error.js";

/**
 * Loads a provider's package. If it is missing, the error says how to install it. Other errors
 * are rethrown.
 */
export async function loadSdk<Sdk>(name: string, load: () => Promise<Sdk>): Promise<Sdk> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Without the cause, because its message contains paths of this machine.
    throw new ModelError("NOT_INSTALLED", {
      reason: `the package '${name}' is not installed. Run \`npm install ${name}\``,
    });
  }
}

function isMissing(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND";
}
