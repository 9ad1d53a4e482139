import type { Handler } from "../reply/tool-handler.js";
import {
  type EvaluatePythonInput,
  evaluatePythonHandlerFor,
  type PythonValue,
} from "./evaluate-python.js";
import { MontyEngine } from "./monty-engine.js";
import { DEFAULT_PYTHON_LIMITS } from "./python-engine.js";

let handler: Handler<typeof EvaluatePythonInput, PythonValue> | undefined;

/**
 * The handler by itself, with the defaults: for tests, and for tools of one's own.
 * Rejects when `@pydantic/monty` is not installed.
 */
export const evaluatePythonHandler: Handler<typeof EvaluatePythonInput, PythonValue> = async (
  input,
  context,
) => {
  // Not before the first call, so that the module loads without the interpreter.
  handler ??= evaluatePythonHandlerFor({
    engine: new MontyEngine(),
    limits: DEFAULT_PYTHON_LIMITS,
    workspace: "vfs",
  });
  return await handler(input, context);
};
