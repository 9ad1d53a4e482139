import { evaluatePythonHandlerFor } from "./evaluate-python.js";
import { MontyEngine } from "./monty-engine.js";
import { DEFAULT_PYTHON_LIMITS } from "./python-engine.js";

/** The handler by itself, with the defaults: for tests, and for tools of one's own. */
export const evaluatePythonHandler = evaluatePythonHandlerFor({
  engine: new MontyEngine(),
  limits: DEFAULT_PYTHON_LIMITS,
  workspace: "vfs",
});
