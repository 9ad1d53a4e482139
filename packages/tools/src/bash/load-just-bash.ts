import { ToolsError } from "../error/tools-error.js";

/** Loads the optional package. Throws `INTERPRETER_MISSING` if it is not installed. */
export async function loadJustBash(): Promise<typeof import("just-bash")> {
  try {
    return await import("just-bash");
  } catch (cause) {
    throw new ToolsError("INTERPRETER_MISSING", {
      subject: "BashSection",
      reason: "the package 'just-bash' is not installed",
      action: "Run npm install just-bash",
      cause,
    });
  }
}
